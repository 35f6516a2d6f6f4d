resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'same'
}
resource b 'Contoso.Data/Caches@2023-01-01' = {
  name: 'same'
}
resource c 'Contoso.Data/caches@2024-03-01' = if (resourceGroup().name == 'x') {
  name: 'same'
}
