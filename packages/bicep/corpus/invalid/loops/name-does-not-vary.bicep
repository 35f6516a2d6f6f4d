resource a 'Contoso.Data/caches@2024-03-01' = [for i in range(0, 2): {
  name: 'same'
  tags: { index: string(i) }
}]
module b 'name-does-not-vary/part.bicep' = [for i in range(0, 2): {
  name: 'same'
}]
