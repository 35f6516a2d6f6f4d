resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
}
output b object = reference(a.properties.peerId, '2024-03-01')
output c object = listKeys(a.properties.peerId, '2024-03-01')
