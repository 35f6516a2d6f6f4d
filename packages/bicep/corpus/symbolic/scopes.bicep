resource cache 'Contoso.Data/caches@2024-03-01' existing = {
  name: 'cache'
  scope: resourceGroup('other')
}
resource own 'Contoso.Data/caches@2024-03-01' = {
  name: 'own'
}
resource lock 'Contoso.Authorization/locks@2024-03-01' = {
  scope: own
  name: 'keep'
}
output endpoint string = cache.properties.endpoint
