param principals { id: string, role: 'reader' | 'writer' }[]
param storeName string
var roles = {
  reader: '11111111-1111-1111-1111-111111111111'
  writer: '22222222-2222-2222-2222-222222222222'
}
resource store 'Contoso.Data/stores@2024-03-01' existing = {
  name: storeName
  resource blobs 'blobs' existing = {
    name: 'default'
    resource container 'containers' = {
      name: 'shop'
    }
  }
}
resource grants 'Microsoft.Authorization/roleAssignments@2022-04-01' = [for p in principals: {
  scope: store::blobs::container
  name: guid(store::blobs::container.id, p.id, roles[p.role])
  properties: {
    principalId: p.id
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles[p.role])
  }
}]
output keys string = store.listKeys().keys[0].value
output container string = store::blobs::container.name
