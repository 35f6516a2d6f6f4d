param server resource 'Contoso.Sql/servers@2024-03-01'
resource a 'Contoso.Sql/servers/databases@2024-03-01' = {
  parent: server
  name: 'a'
}
resource lock 'Contoso.Authorization/locks@2024-03-01' = {
  scope: server
  name: 'lock'
}
