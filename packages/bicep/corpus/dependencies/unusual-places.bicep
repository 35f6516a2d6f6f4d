resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
}
resource many 'Contoso.Data/caches@2024-03-01' = [for i in range(0, 2): {
  name: 'many-${i}'
}]
resource inKey 'Contoso.Data/caches@2024-03-01' = {
  name: 'inKey'
  tags: { '${a.name}': 'x' }
}
resource inPropertyLoop 'Contoso.Data/caches@2024-03-01' = {
  name: 'inPropertyLoop'
  properties: { peers: [for i in range(0, 2): many[i].properties.host] }
}
resource inLambda 'Contoso.Data/caches@2024-03-01' = {
  name: 'inLambda'
  properties: { peers: map(range(0, 2), i => '${i}${a.name}') }
}
resource inParentheses 'Contoso.Data/caches@2024-03-01' = {
  name: 'inParentheses'
  properties: { peer: (a).id, other: (many[1]).id, first: [a.id][0], sure: a!.id }
}
