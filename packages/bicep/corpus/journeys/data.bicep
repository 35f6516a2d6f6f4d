param servers { name: string, databases: string[] }[]
resource sql 'Contoso.Sql/servers@2024-03-01' = [for server in servers: {
  name: server.name
  properties: {
    count: length(server.databases)
    databases: [for (database, n) in server.databases: '${n}:${database}']
  }
}]
resource first 'Contoso.Sql/servers/databases@2024-03-01' = [for (server, i) in servers: if (!empty(server.databases)) {
  parent: sql[i]
  name: server.databases[0]
}]
resource audit 'Contoso.Sql/servers/databases/policies@2024-03-01' = {
  parent: first[0]
  name: 'audit'
}
var hosts = [for (server, i) in servers: sql[i].id]
output hosts array = hosts
output last string = sql[length(servers) - 1].properties.host
output states array = map(sql, s => s.properties.state)
