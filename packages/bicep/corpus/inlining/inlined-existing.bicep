resource app 'Contoso.Web/sites@2024-03-01' = {
  name: 'app'
}
resource made 'Contoso.Data/stores@2024-03-01' existing = {
  name: app.properties.storeName
}
output id string = made.id
