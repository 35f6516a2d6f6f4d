resource server 'Contoso.Sql/servers@2024-03-01' = {
  name: 'server'
  resource a 'databases/policies' = {
    name: 'a'
  }
  resource b 'Contoso.Sql/servers/databases@2024-03-01' = {
    name: 'b'
  }
}
resource broken 'nothing' = {
  name: 'x'
  resource c 'children' = {
    name: 'c'
  }
}
