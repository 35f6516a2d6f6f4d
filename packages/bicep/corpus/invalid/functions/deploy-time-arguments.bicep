resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
}
module m 'deploy-time-arguments/part.bicep' = {
  name: 'm'
  identity: { type: a.properties.kind }
  scope: resourceGroup(a.properties.group)
}
