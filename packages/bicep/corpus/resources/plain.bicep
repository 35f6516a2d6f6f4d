param location string = resourceGroup().location
resource cache 'Contoso.Data/caches@2024-03-01' = {
  name: 'shop-cache'
  location: location
  tags: {
    team: 'shop'
  }
  sku: { name: 'basic', capacity: 1 }
  properties: {
    size: 3
    enabled: true
  }
}
output id string = cache.id
output name string = cache.name
output type string = cache.type
output version string = cache.apiVersion
output endpoint string = cache.properties.endpoint
output all object = cache.properties
output location string = cache.location
output whole object = cache
