resource server 'Contoso.Sql/servers@2024-03-01' existing = {
  name: 'server'
  scope: resourceGroup('other')
}
resource a 'Contoso.Sql/servers/databases@2024-03-01' = {
  parent: server
  name: 'a'
}
resource own 'Contoso.Sql/servers@2024-03-01' = {
  name: 'own'
}
resource b 'Contoso.Sql/servers/databases@2024-03-01' = {
  parent: own
  scope: resourceGroup()
  name: 'b'
}
