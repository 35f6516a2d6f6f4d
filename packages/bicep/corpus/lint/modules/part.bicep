param location string = resourceGroup().location
resource cache 'Contoso.Data/caches@2024-03-01' = {
  name: 'cache'
  location: location
}
@description('Text.')
output text string = cache.name
