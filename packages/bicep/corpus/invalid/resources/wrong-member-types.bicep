resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
  location: 5
  tags: 'x'
  sku: { name: 1 }
  dependsOn: 'x'
}
