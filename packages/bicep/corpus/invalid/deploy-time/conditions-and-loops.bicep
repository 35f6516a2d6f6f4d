resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
}
resource b 'Contoso.Data/caches@2024-03-01' = if (a.properties.on) {
  name: 'b'
}
resource c 'Contoso.Data/caches@2024-03-01' = [for x in a.properties.list: {
  name: 'c-${x}'
}]
var d = [for x in range(0, 2): a.properties.host]
output e array = [for x in a.properties.list: x]
