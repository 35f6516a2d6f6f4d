resource server 'Contoso.Sql/servers@2024-03-01' = {
  name: 'server'
  location: 'west'
}
resource database 'Contoso.Sql/servers/databases@2024-03-01' = {
  name: '${server.name}/shop'
  location: 'global'
}
resource app 'Contoso.Web/sites@2024-03-01' = {
  name: 'app'
  location: resourceGroup().location
  properties: {
    serverId: '/subscriptions/x'
    adminUsername: 'admin'
    url: 'https://management.azure.com/x'
    server: server.properties.host
  }
  dependsOn: [server]
}
