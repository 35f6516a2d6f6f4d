resource server 'Contoso.Sql/servers@2024-03-01' = {
  name: 'server'
  resource database 'databases' = {
    name: 'shop'
  }
}
output all array = [server.id, server.name, server.type, server.apiVersion]
output child array = [server::database.id, server::database.name]
