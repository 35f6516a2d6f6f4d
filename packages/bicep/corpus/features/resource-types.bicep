param cache resource 'Contoso.Data/caches@2024-03-01'
output cache resource 'Contoso.Data/caches@2024-03-01' = cache
output name string = cache.name
output host string = cache.properties.host
