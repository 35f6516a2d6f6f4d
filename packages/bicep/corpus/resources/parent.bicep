resource server 'Contoso.Sql/servers@2024-03-01' = {
  name: 'server'
}
resource database 'Contoso.Sql/servers/databases@2024-03-01' = {
  parent: server
  name: 'shop'
}
resource policy 'Contoso.Sql/servers/databases/policies@2024-03-01' = {
  parent: database
  name: 'audit'
}
output id string = policy.id
output name string = policy.name
