param networks array
resource nets 'Contoso.Net/networks@2024-03-01' = [for net in networks: {
  name: net.name
  properties: {
    subnets: [for subnet in net.subnets: {
      name: '${net.name}-${subnet}'
    }]
  }
}]
