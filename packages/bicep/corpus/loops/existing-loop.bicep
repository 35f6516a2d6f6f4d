param names array
resource caches 'Contoso.Data/caches@2024-03-01' existing = [for name in names: {
  name: name
}]
output ids array = [for (name, i) in names: caches[i].id]
output endpoint string = caches[0].properties.endpoint
