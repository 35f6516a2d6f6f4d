resource cache 'Contoso.Data/caches@2024-03-01' = {
  name: 'cache'
}
resource lock 'Contoso.Authorization/locks@2024-03-01' = {
  scope: cache
  name: 'keep'
}
output id string = lock.id
