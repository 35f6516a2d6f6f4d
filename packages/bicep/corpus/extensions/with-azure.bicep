extension radius
resource cache 'Contoso.Data/caches@2024-03-01' = {
  name: 'cache'
}
resource redis 'Applications.Datastores/redisCaches@2023-10-01-preview' = {
  name: 'redis'
  properties: {
    resourceProvisioning: 'manual'
    resources: [{ id: cache.id }]
    host: cache.properties.host
  }
}
