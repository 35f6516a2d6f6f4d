param location string
param subnets string[]
resource network 'Contoso.Net/networks@2024-03-01' = {
  name: 'network'
  location: location
  properties: {
    subnets: [for (prefix, i) in subnets: { name: 'subnet-${i}', prefix: prefix }]
  }
}
resource locks 'Contoso.Authorization/locks@2024-03-01' = [for i in range(0, 2): {
  name: 'lock-${i}'
  scope: network
}]
output id string = network.id
output lockIds array = [for i in range(0, 2): locks[i].id]
