resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
}
module list 'condition-and-loop-sources/list.bicep' = {
  name: 'list'
}
resource b 'Contoso.Data/caches@2024-03-01' = if (a.name == 'a') {
  name: 'b'
}
resource c 'Contoso.Data/caches@2024-03-01' = [for id in [a.id]: {
  name: 'c-${uniqueString(id)}'
}]
resource d 'Contoso.Data/caches@2024-03-01' = {
  name: 'd'
  properties: { list: list.outputs.values }
}
