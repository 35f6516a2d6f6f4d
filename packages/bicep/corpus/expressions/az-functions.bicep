output scopes array = [
  resourceGroup().id
  subscription().subscriptionId
  tenant().tenantId
  deployment().name
  environment().name
  deployer().objectId
]
output ids array = [
  resourceId('Contoso.Data/caches', 'a')
  subscriptionResourceId('Contoso.Data/policies', 'p')
  tenantResourceId('Contoso.Data/roles', 'r')
  extensionResourceId(resourceGroup().id, 'Contoso.Data/locks', 'l')
  managementGroupResourceId('Contoso.Data/roles', 'r')
]
output zones array = pickZones('Contoso.Compute', 'machines', 'west', 2)
output read object = reference(resourceId('Contoso.Data/caches', 'a'), '2024-03-01')
