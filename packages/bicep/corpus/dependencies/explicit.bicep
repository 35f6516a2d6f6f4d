resource hubVNET 'Contoso.Net/networks@2024-03-01' = {
  name: 'net'
}
resource hubrg 'Contoso.Net/groups@2024-03-01' = {
  name: 'rg'
}
resource many 'Contoso.Net/peers@2024-03-01' = [for i in range(0, 2): {
  name: 'peer-${i}'
}]
resource last 'Contoso.Net/gateways@2024-03-01' = {
  name: 'gateway'
  dependsOn: [
    many
    hubVNET
    hubrg
    hubVNET
  ]
}
