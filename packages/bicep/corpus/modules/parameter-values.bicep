param names array
@secure()
param secret string
resource cache 'Contoso.Data/caches@2024-03-01' = {
  name: 'cache'
}
module m 'parameter-values/values.bicep' = {
  name: 'm'
  params: {
    list: [for name in names: { name: name }]
    map: { endpoint: cache.properties.endpoint, id: cache.id }
    secret: secret
    nothing: null
    'quoted': 'x'
  }
}
