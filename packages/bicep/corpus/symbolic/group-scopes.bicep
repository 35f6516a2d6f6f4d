targetScope = 'subscription'
param names array
resource groups 'Microsoft.Resources/resourceGroups@2024-03-01' existing = [for name in names: {
  name: name
}]
resource cache 'Contoso.Data/caches@2024-03-01' existing = {
  scope: groups[0]
  name: 'cache'
}
module part 'group-scopes/part.bicep' = [for (name, i) in names: {
  name: 'part-${i}'
  scope: groups[i]
}]
output host string = cache.properties.host
