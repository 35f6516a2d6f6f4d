param p string
resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
  dependsOn: [p]
}
resource b 'Contoso.Data/caches@2024-03-01' = {
  name: 'b'
  dependsOn: any([])
}
