resource app 'Contoso.Web/sites@2024-03-01' = {
  name: 'app'
}
resource many 'Contoso.Data/stores@2024-03-01' = [for i in range(0, 2): {
  name: 'store-${i}'
}]
var id = many[app.properties.index].id
output id string = id
