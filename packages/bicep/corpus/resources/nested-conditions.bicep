param outer bool
param inner bool
resource server 'Contoso.Sql/servers@2024-03-01' = if (outer) {
  name: 'server'
  resource database 'databases' = if (inner) {
    name: 'shop'
    resource policy 'policies' = {
      name: 'audit'
    }
  }
}
