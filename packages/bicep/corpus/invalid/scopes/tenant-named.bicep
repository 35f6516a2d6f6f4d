targetScope = 'tenant'
module a 'tenant-named/subscription.bicep' = {
  name: 'a'
  scope: managementGroup('x')
}
resource group 'Microsoft.Resources/resourceGroups@2024-03-01' existing = {
  name: 'g'
  scope: subscription('11111111-1111-1111-1111-111111111111')
}
