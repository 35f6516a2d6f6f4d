resource many 'Contoso.Data/stores@2024-03-01' = [for i in range(0, 2): {
  name: 'store-${i}'
}]
resource after 'Contoso.Data/stores@2024-03-01' = {
  name: 'after'
  dependsOn: [many]
}
output name string = nameof(many)
