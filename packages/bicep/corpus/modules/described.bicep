@description('The network.')
module net 'described/net.bicep' = {
  name: 'net'
}
