param p string
resource r 'Contoso.Data/caches@2024-03-01' existing = {
  name: 'r'
}
func a() string => p
func b() string => r.properties.x
