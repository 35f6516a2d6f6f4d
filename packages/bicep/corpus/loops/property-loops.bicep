param subnets array
resource net 'Contoso.Net/networks@2024-03-01' = {
  name: 'net'
  properties: {
    prefix: '10.0.0.0/8'
    subnets: [for (subnet, i) in subnets: {
      name: subnet.name
      index: i
    }]
    names: [for subnet in subnets: subnet.name]
    constants: [for subnet in subnets: 5]
    texts: [for subnet in subnets: 'fixed']
  }
}
