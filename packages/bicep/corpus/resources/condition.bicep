param deploy bool
param tier string
resource a 'Contoso.Data/caches@2024-03-01' = if (deploy) {
  name: 'a'
}
resource b 'Contoso.Data/caches@2024-03-01' = if (deploy && tier != 'free') {
  name: 'b'
}
resource c 'Contoso.Data/caches@2024-03-01' =
  if (tier == 'premium') {
    name: 'c'
  }
output safe string = a.?properties.endpoint ?? 'none'
output id string? = a.?id
