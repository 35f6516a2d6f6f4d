resource servers 'Contoso.Sql/servers@2024-03-01' = [for i in range(0, 2): {
  name: 'server-${i}'
}]
resource databases 'Contoso.Sql/servers/databases@2024-03-01' = [for i in range(0, 2): {
  parent: servers[i]
  name: 'shop'
}]
resource single 'Contoso.Sql/servers/databases@2024-03-01' = {
  parent: servers[1]
  name: 'single'
}
output id string = databases[0].id
