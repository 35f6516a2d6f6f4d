resource server 'Contoso.Sql/servers@2024-03-01' = {
  name: 'server'
  resource database 'databases' = {
    name: 'shop'
  }
  resource old 'databases' existing = {
    name: 'old'
  }
}
output id string = server::database.id
output size int = server::database.properties.size
output old string = server::old.properties.state
