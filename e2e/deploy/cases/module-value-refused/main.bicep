extension radius

param size int = 11

resource first 'Radius.Test/widgets@2025-01-01' = {
  name: 'first'
  properties: {
    title: 'first'
  }
}

module second 'second.bicep' = {
  name: 'second'
  params: {
    title: first.properties.title
    size: size
  }
}
