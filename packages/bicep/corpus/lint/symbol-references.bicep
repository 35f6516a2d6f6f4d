resource store 'Contoso.Data/stores@2024-03-01' existing = {
  name: 'store'
}
@description('All.')
output all array = [
  reference(store.id).x
  reference(resourceId('Contoso.Data/stores', 'store'), '2024-03-01').x
  reference(store.id, '2020-01-01').x
  reference(resourceId('Contoso.Data/stores', 'other')).x
]
