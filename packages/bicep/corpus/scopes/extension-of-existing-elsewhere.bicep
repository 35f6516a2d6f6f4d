targetScope = 'subscription'
resource group 'Microsoft.Resources/resourceGroups@2024-03-01' existing = {
  name: 'shop'
}
resource cache 'Contoso.Data/caches@2024-03-01' existing = {
  scope: group
  name: 'cache'
}
resource role 'Contoso.Authorization/roles@2024-03-01' = {
  name: guid(subscription().id, 'reader')
  properties: { target: cache.id }
}
