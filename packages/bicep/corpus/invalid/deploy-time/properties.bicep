resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
}
resource b 'Contoso.Data/caches@2024-03-01' = {
  name: a.properties.peer
  location: a.location
  tags: { host: a.properties.host.name }
  sku: { name: listKeys(a.id, '2024-03-01').x }
}
