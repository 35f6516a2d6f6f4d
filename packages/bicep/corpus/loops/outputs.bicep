resource caches 'Contoso.Data/caches@2024-03-01' = [for i in range(0, 2): {
  name: 'cache-${i}'
}]
output ids array = [for i in range(0, 2): caches[i].id]
output endpoints array = [for i in range(0, 2): {
  name: caches[i].name
  endpoint: caches[i].properties.endpoint
}]
