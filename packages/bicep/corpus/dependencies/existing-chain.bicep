resource app 'Contoso.Web/sites@2024-03-01' = {
  name: 'app'
}
resource server 'Contoso.Sql/servers@2024-03-01' existing = {
  name: app.name
}
resource database 'Contoso.Sql/servers/databases@2024-03-01' existing = {
  parent: server
  name: 'shop'
}
resource user 'Contoso.Web/sites@2024-03-01' = {
  name: 'user'
  properties: { host: database.properties.host }
}
