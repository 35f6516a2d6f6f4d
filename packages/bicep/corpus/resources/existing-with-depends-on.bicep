resource app 'Contoso.Web/sites@2024-03-01' = {
  name: 'app'
}
resource made 'Contoso.Data/caches@2024-03-01' existing = {
  name: 'made-by-app'
  dependsOn: [app]
}
output endpoint string = made.properties.endpoint
