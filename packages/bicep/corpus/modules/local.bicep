param environment string
module store 'local/store.bicep' = {
  name: 'store-${environment}'
  params: {
    name: 'shop'
    replicas: 2
    tags: { env: environment }
  }
}
module plain 'local/store.bicep' = {
  name: 'plain'
  params: { name: 'x' }
  dependsOn: [store]
}
output id string = store.outputs.id
output size int = store.outputs.settings.size
output name string = store.name
