extension radius

resource one 'Radius.Test/widgets@2025-01-01' = {
  name: 'one'
  tags: {
    made: 'by hand'
  }
  properties: {
    title: 'one'
    size: 10
  }
}

resource environment 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'shared'
  location: 'global'
  properties: {
    simulated: false
  }
}
