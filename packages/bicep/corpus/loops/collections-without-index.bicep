resource caches 'Contoso.Data/caches@2024-03-01' = [for i in range(0, 2): {
  name: 'cache-${i}'
}]
output ids array = map(caches, cache => cache.id)
output endpoints array = map(caches, (cache, i) => '${i}${cache.properties.endpoint}')
output all array = caches
