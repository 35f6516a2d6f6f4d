resource server 'Contoso.Sql/servers@2024-03-01' = {
  name: 'server'
}
var indirect = server
resource a 'Contoso.Sql/servers/databases@2024-03-01' = {
  parent: indirect
  name: 'x/a'
}
