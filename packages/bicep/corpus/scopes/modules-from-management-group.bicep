targetScope = 'managementGroup'
module here 'modules-from-management-group/management-group.bicep' = {
  name: 'here'
}
module named 'modules-from-management-group/management-group.bicep' = {
  name: 'named'
  scope: managementGroup('shops')
}
module sub 'modules-from-management-group/subscription.bicep' = {
  name: 'sub'
  scope: subscription('11111111-1111-1111-1111-111111111111')
}
module group 'modules-from-management-group/group.bicep' = {
  name: 'group'
  scope: resourceGroup('11111111-1111-1111-1111-111111111111', 'shop')
}
output id string = named.outputs.id
