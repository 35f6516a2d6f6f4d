extension radius

resource shared 'Radius.Test/widgets@2025-01-01' existing = {
  name: 'shared'
}

resource user 'Radius.Test/widgets@2025-01-01' = {
  name: 'user'
  properties: {
    title: 'uses ${shared.properties.title}'
    size: shared.properties.size + 1
    source: shared.id
    labels: shared.properties.labels
  }
}

module reader 'reader.bicep' = {
  name: 'reader'
}

output zone string = shared.properties.labels.zone
output readInModule string = reader.outputs.host
