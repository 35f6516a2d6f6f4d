param name string
resource cache 'Contoso.Data/caches@2024-03-01' = {
  name: name
  location: 'west'
}
resource peer 'Contoso.Data/caches@2024-03-01' = {
  name: 'peer-${cache.name}'
  properties: {
    host: cache.properties.host
    id: cache.id
  }
}
output id string = cache.id
output all object = cache.properties
output location string = cache.location
output whole object = cache
output type string = cache.type
