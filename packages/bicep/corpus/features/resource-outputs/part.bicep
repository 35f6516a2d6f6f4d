resource own 'Contoso.Data/caches@2024-03-01' = {
  name: 'own'
}
output cache resource 'Contoso.Data/caches@2024-03-01' = own
