var a = newGuid()
output b string = utcNow()
param c object = reference('x')
param d string = listKeys('x', 'y').z
resource e 'Contoso.Data/caches@2024-03-01' = if (reference('x').on) {
  name: 'e'
}
