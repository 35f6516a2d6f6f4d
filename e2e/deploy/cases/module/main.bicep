extension radius

module storage 'storage.bicep' = {
  name: 'storage'
  params: {
    prefix: 'shop'
  }
}

resource service 'Radius.Test/widgets@2025-01-01' = {
  name: 'shop-service'
  properties: {
    title: 'shop'
    source: storage.outputs.id
    labels: {
      host: storage.outputs.host
    }
  }
}

output storageName string = storage.name
output storageHost string = storage.outputs.host
