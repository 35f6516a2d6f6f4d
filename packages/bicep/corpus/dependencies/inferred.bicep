resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
}
resource b 'Contoso.Data/caches@2024-03-01' = {
  name: 'b'
  properties: { peer: a.id }
}
resource c 'Contoso.Data/caches@2024-03-01' = {
  name: 'c-${a.name}'
  properties: { peer: b.properties.endpoint }
}
