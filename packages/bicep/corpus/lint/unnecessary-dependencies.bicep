resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
}
resource b 'Contoso.Data/caches@2024-03-01' = {
  name: 'b'
  properties: { peer: a.id }
}
resource many 'Contoso.Data/caches@2024-03-01' = [for i in range(0, 2): {
  name: 'many-${i}'
}]
resource c 'Contoso.Data/caches@2024-03-01' = {
  name: 'c'
  properties: { peer: b.id }
  dependsOn: [a, b, many, many[0]]
}
resource d 'Contoso.Data/caches@2024-03-01' = {
  name: 'd'
  dependsOn: [c, c]
}
