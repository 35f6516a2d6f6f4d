param size int
var size_var = size
resource cache_resource 'Contoso.Data/caches@2024-03-01' = {
  name: 'cache-${size_var}'
}
