param databases array
resource server 'Contoso.Sql/servers@2024-03-01' = {
  name: 'server'
  resource each 'databases' = [for database in databases: {
    name: database
  }]
}
resource other 'Contoso.Sql/servers/databases@2024-03-01' = [for i in range(0, 2): {
  parent: server
  name: 'other-${i}'
}]
output id string = server::each[1].id
output otherId string = other[0].id
