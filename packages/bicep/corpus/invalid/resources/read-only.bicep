resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
  id: 'x'
  type: 'y'
}
