param server string
resource database 'Contoso.Sql/servers/databases@2024-03-01' = {
  name: '${server}/shop'
}
resource policy 'Contoso.Sql/servers/databases/policies@2024-03-01' = {
  parent: database
  name: 'audit'
}
output id string = database.id
