targetScope = 'subscription'
module a 'from-subscription/mg.bicep' = {
  name: 'a'
  scope: managementGroup('x')
}
