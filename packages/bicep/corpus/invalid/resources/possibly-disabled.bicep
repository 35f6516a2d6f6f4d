param deploy bool
resource a 'Contoso.Data/caches@2024-03-01' = if (deploy) {
  name: 'a'
}
output host string = a.properties.host
output id string = a.id
output keys object = a.listKeys()
output sure string = a!.properties.host
