resource a 'Contoso.Data/caches@2024-03-01' = {
  location: 'west'
}
resource b 'Contoso.Data/caches@2024-03-01' = {
  name: 5
}
