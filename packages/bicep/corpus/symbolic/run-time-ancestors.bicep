resource app 'Contoso.Web/sites@2024-03-01' = {
  name: 'app'
}
resource server 'Contoso.Sql/servers@2024-03-01' existing = {
  name: app.properties.serverName
}
resource database 'Contoso.Sql/servers/databases@2024-03-01' existing = {
  parent: server
  name: 'shop'
}
resource lock 'Contoso.Authorization/locks@2024-03-01' existing = {
  scope: database
  name: 'lock'
}
output ids array = [server.id, database.id, lock.id]
