targetScope = 'local'
module part 'modules/part.bicep' = {
  params: { size: 1 }
}
resource cache 'Contoso.Data/caches@2024-03-01' = {
  name: 'cache'
}
