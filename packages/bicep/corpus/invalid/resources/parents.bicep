param p object
resource server 'Contoso.Sql/servers@2024-03-01' = {
  name: 'server'
}
resource a 'Contoso.Sql/servers/databases@2024-03-01' = {
  parent: any(server)
  name: 'a'
}
resource b 'Contoso.Net/networks/subnets@2024-03-01' = {
  parent: server
  name: 'b'
}
resource c 'Contoso.Sql/servers/databases@2024-03-01' = {
  parent: true ? server : server
  name: 'c'
}
