targetScope = 'subscription'
resource group 'Microsoft.Resources/resourceGroups@2024-03-01' = {
  name: 'shop'
  location: deployment().location
}
output id string = group.id
output subscription string = subscription().subscriptionId
