param deploy bool
resource cache 'Contoso.Data/caches@2024-03-01' = if (deploy) {
  name: 'cache'
  resource child 'children' = {
    name: 'child'
  }
}
output a string = cache.?properties.host ?? ''
output b string = cache::child.?properties.x ?? ''
output c string = cache.?location ?? ''
output d object? = cache.?properties
