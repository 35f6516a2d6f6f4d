extension radius

resource source 'Radius.Test/widgets@2025-01-01' = {
  name: 'source'
  properties: {
    title: 'source'
  }
}

resource broken 'Radius.Test/widgets@2025-01-01' = {
  name: 'broken'
  properties: {
    title: source.properties.nowhere.deeper
  }
}

module broken2 'part.bicep' = {
  name: 'broken-in-module'
  params: {
    title: source.properties.title
  }
}
