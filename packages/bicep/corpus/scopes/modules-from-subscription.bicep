targetScope = 'subscription'
param location string = deployment().location
resource group 'Microsoft.Resources/resourceGroups@2024-03-01' = {
  name: 'shop'
  location: location
}
module inGroup 'modules-from-subscription/group.bicep' = {
  name: 'inGroup'
  scope: group
}
module inNamedGroup 'modules-from-subscription/group.bicep' = {
  name: 'inNamedGroup'
  scope: resourceGroup('other')
}
module here 'modules-from-subscription/subscription.bicep' = {
  name: 'here'
}
module there 'modules-from-subscription/subscription.bicep' = {
  name: 'there'
  scope: subscription('11111111-1111-1111-1111-111111111111')
}
module top 'modules-from-subscription/tenant.bicep' = {
  name: 'top'
  scope: tenant()
}
output id string = inGroup.outputs.id
