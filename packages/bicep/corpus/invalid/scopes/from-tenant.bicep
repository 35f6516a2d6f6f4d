targetScope = 'tenant'
module a 'from-tenant/group.bicep' = {
  name: 'a'
  scope: resourceGroup('11111111-1111-1111-1111-111111111111', 'x')
}
module b 'from-tenant/group.bicep' = {
  name: 'b'
}
