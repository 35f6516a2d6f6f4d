targetScope = 'tenant'
resource shops 'Microsoft.Management/managementGroups@2023-04-01' existing = {
  name: 'shops'
}
module mg 'modules-from-tenant/management-group.bicep' = {
  name: 'mg'
  scope: shops
}
module sub 'modules-from-tenant/subscription.bicep' = {
  name: 'sub'
  scope: subscription('11111111-1111-1111-1111-111111111111')
}
module here 'modules-from-tenant/tenant.bicep' = {
  name: 'here'
}
