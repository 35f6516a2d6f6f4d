resource store 'Contoso.Data/stores@2024-03-01' = {
  name: 'store'
}
var whole = store
var byIndex = store['id']
var constant = store.id
var name = store.name
var type = store.type
var runtime = store.properties
var unused = store.properties.x
var ignored = nameof(store.properties)
output all array = [whole.location, byIndex, constant, name, type, runtime.size, ignored]
