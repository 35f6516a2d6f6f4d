var v = 1
param a int = v
resource r 'Contoso.Data/caches@2024-03-01' existing = {
  name: 'r'
}
param b string = r.id
