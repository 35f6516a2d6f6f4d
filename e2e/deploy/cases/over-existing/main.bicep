extension radius

resource environment 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'shared'
  location: 'global'
  properties: {
    simulated: true
  }
}

resource one 'Radius.Test/widgets@2025-01-01' = {
  name: 'one'
  properties: {
    title: 'one'
    size: 11
  }
}

resource two 'Radius.Test/widgets@2025-01-01' = {
  name: 'two'
  properties: {
    title: 'two'
  }
}
