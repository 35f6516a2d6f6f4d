@batchSize(1)
resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
}
@batchSize(0)
resource b 'Contoso.Data/caches@2024-03-01' = [for i in range(0, 2): {
  name: 'b-${i}'
}]
