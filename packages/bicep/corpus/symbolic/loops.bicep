resource caches 'Contoso.Data/caches@2024-03-01' = [for i in range(0, 2): {
  name: 'cache-${i}'
}]
resource peers 'Contoso.Data/caches@2024-03-01' = [for i in range(0, 2): {
  name: 'peer-${i}'
  properties: { peer: caches[i].properties.host }
}]
resource one 'Contoso.Data/caches@2024-03-01' = {
  name: 'one'
  properties: { peers: [caches[0].properties.host, caches[1].id] }
  dependsOn: [peers]
}
output host string = caches[1].properties.host
output location string = caches[1].location
output keys string = caches[1].listKeys().primary
