param common object
resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
  ...common
}
resource b 'Contoso.Data/caches@2024-03-01' = {
  name: 'b'
  properties: {
    ...common
    list: [for i in range(0, 2): i]
  }
}
