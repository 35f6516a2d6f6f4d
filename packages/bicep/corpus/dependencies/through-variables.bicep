resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
}
var constant = a.id
var indirect = { id: constant }
var runtime = a.properties.endpoint
resource b 'Contoso.Data/caches@2024-03-01' = {
  name: 'b'
  properties: { peer: indirect.id }
}
resource c 'Contoso.Data/caches@2024-03-01' = {
  name: 'c'
  properties: { peer: runtime }
}
