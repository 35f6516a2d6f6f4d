resource a 'Contoso.Data/caches@2024-03-01' existing = {
  name: 'a'
  location: 'west'
  properties: {}
}
