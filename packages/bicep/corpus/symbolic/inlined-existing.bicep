resource app 'Contoso.Web/sites@2024-03-01' = {
  name: 'app'
}
resource made 'Contoso.Data/stores@2024-03-01' existing = {
  name: app.properties.storeName
}
resource user 'Contoso.Web/sites@2024-03-01' = {
  name: 'user'
  properties: { store: made.id }
}
