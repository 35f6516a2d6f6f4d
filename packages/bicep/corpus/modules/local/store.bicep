param name string
param replicas int = 1
param tags object = {}
resource store 'Contoso.Data/stores@2024-03-01' = {
  name: name
  tags: tags
  properties: { replicas: replicas }
}
output id string = store.id
output settings object = { size: replicas }
