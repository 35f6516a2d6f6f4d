module part 'resource-outputs/part.bicep' = {
  name: 'part'
}
output id string = part.outputs.cache.id
output name string = (part.outputs.cache).name
output type string = part.outputs.cache!['type']
output whole resource 'Contoso.Data/caches@2024-03-01' = part.outputs.cache
