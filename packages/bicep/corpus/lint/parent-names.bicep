resource server 'Contoso.Sql/servers@2024-03-01' = {
  name: 'server'
}
resource byName 'Contoso.Sql/servers/databases@2024-03-01' = {
  name: 'server/shop'
}
resource byParent 'Contoso.Sql/servers/databases@2024-03-01' = {
  parent: server
  name: 'fine'
}
resource unrelated 'Contoso.Sql/servers/databases@2024-03-01' = {
  name: 'other/shop'
}
