module here 'modules-from-group/group.bicep' = {
  name: 'here'
}
module other 'modules-from-group/group.bicep' = {
  name: 'other'
  scope: resourceGroup('other')
}
module far 'modules-from-group/group.bicep' = {
  name: 'far'
  scope: resourceGroup('11111111-1111-1111-1111-111111111111', 'other')
}
module sub 'modules-from-group/subscription.bicep' = {
  name: 'sub'
  scope: subscription()
}
module root 'modules-from-group/tenant.bicep' = {
  name: 'root'
  scope: tenant()
}
