param location string
param names string[]

resource network 'Microsoft.Network/virtualNetworks@2023-09-01' = {
  name: 'network'
  location: location
  properties: {
    subnets: [
      for (name, i) in names: {
        name: name
        properties: {
          addressPrefix: cidrSubnet('10.0.0.0/16', 24, i)
        }
      }
    ]
  }
}

output subnets array = [for (name, i) in names: network.properties.subnets[i].id]
