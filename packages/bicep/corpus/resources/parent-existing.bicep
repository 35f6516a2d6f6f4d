resource app 'Contoso.Web/sites@2024-03-01' = {
  name: 'app'
}
resource server 'Contoso.Sql/servers@2024-03-01' existing = {
  name: 'sql-${app.name}'
}
resource database 'Contoso.Sql/servers/databases@2024-03-01' = {
  parent: server
  name: 'shop'
}
