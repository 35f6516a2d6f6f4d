resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
}
var host = a.properties.host
var text = 'x-${host}'
resource b 'Contoso.Data/caches@2024-03-01' = {
  name: text
}
