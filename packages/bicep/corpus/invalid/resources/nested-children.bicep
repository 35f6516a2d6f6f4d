resource server 'Contoso.Sql/servers@2024-03-01' = {
  name: 'server'
  resource database 'databases' = {
    name: 'shop'
  }
  resource database 'databases' = {
    name: 'other'
  }
  resource same 'databases' = {
    name: 'shop'
  }
}
var a = database.id
