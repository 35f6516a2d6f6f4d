param cacheName string
resource cache 'Contoso.Data/caches@2024-03-01' existing = {
  name: cacheName
}
resource app 'Contoso.Web/sites@2024-03-01' = {
  name: 'app'
  properties: {
    endpoint: cache.properties.endpoint
    cacheId: cache.id
  }
}
