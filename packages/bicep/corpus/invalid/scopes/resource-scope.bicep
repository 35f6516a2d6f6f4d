resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
  scope: resourceGroup('other')
}
resource b 'Contoso.Data/caches@2024-03-01' = {
  name: 'b'
  scope: subscription()
}
