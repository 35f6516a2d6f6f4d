resource weak 'Contoso.Data/caches@2024-03-01' existing = {
  name: 'weak'
}
resource strong 'Contoso.Data/caches@2024-03-01' existing = {
  name: 'strong'
}
resource app 'Contoso.Web/sites@2024-03-01' = {
  name: 'app'
  properties: {
    weak: weak.id
    strong: strong.properties.endpoint
    keys: weak.listKeys().primary
  }
}
