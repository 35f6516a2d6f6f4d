resource a 'Contoso.Data/caches@2024-03-01' = [for i in range(0, 2): {
  name: 'a-${i}'
}]
resource b 'Contoso.Data/caches@2024-03-01' = {
  name: string(a[0])
}
module m 'whole-resources/part.bicep' = {
  name: 'm-${a[0].properties.x}'
}
