resource server 'Contoso.Sql/servers@2024-03-01' = {
  name: 'server'
  resource database 'databases' = {
    name: 'shop'
  }
}
resource many 'Contoso.Data/caches@2024-03-01' = [for i in range(0, 2): {
  name: 'cache-${i}'
}]
module part 'whole-references/part.bicep' = {
  name: 'part'
}
output nested object = server::database
output item object = many[0]
output module object = part
output parenthesised string = (server).properties.version
output itemInParentheses string = (many[1]).id
