resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
  sku: { capacity: 1 }
  identity: {}
  zones: [1]
  tags: { a: 1 }
}
