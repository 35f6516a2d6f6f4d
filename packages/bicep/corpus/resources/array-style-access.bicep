resource cache 'Contoso.Data/caches@2024-03-01' = {
  name: 'cache'
}
param key string
output id string = cache['id']
output size int = cache['properties']['size']
output any string = cache.properties[key]
output odd string = cache.properties['odd-name'].x
