resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
  properties: { peer: b.id }
}
resource b 'Contoso.Data/caches@2024-03-01' = {
  name: 'b'
  dependsOn: [a]
}
resource c 'Contoso.Data/caches@2024-03-01' = {
  name: c.id
}
