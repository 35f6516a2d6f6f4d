resource cache 'Contoso.Data/caches@2024-03-01' = {
  name: 'cache'
}
resource many 'Contoso.Data/caches@2024-03-01' = [for i in range(0, 2): {
  name: 'cache-${i}'
}]
module part 'resource-arguments/part.bicep' = {
  name: 'part'
  params: { cache: cache, other: many[1] }
}
output cache resource 'Contoso.Data/caches@2024-03-01' = cache
