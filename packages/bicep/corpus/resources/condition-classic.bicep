param deploy bool
resource a 'Contoso.Data/caches@2024-03-01' = if (deploy) {
  name: 'a'
}
output safe string = a.?properties.endpoint ?? 'none'
output sure string = a!.properties.endpoint
output name string = a.name
