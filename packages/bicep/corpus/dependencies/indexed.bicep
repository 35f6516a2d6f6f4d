resource many 'Contoso.Net/peers@2024-03-01' = [for i in range(0, 3): {
  name: 'peer-${i}'
}]
resource one 'Contoso.Net/gateways@2024-03-01' = {
  name: 'one'
  properties: { peer: many[1].id }
}
resource each 'Contoso.Net/gateways@2024-03-01' = [for i in range(0, 3): {
  name: 'each-${i}'
  properties: { peer: many[i].properties.address }
}]
resource listed 'Contoso.Net/gateways@2024-03-01' = {
  name: 'listed'
  dependsOn: [many[0], many[2]]
}
