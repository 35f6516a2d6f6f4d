targetScope = 'tenant'
module a 'tenant-file/subscription.bicep' = {
  name: 'a'
  scope: subscription()
}
