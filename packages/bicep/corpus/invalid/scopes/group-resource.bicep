resource group 'Microsoft.Resources/resourceGroups@2024-03-01' = {
  name: 'x'
  location: 'west'
}
