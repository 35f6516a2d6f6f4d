targetScope = 'managementGroup'
module a 'from-management-group/group.bicep' = {
  name: 'a'
  scope: resourceGroup('x')
}
module b 'from-management-group/subscription.bicep' = {
  name: 'b'
  scope: subscription()
}
