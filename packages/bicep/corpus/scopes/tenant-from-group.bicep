resource group 'Microsoft.Management/managementGroups@2023-04-01' = {
  scope: tenant()
  name: 'shops'
}
output id string = group.id
