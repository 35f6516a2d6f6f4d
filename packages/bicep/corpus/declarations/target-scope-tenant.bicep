targetScope = 'tenant'
resource group 'Microsoft.Management/managementGroups@2023-04-01' = {
  name: 'shops'
}
output id string = group.id
