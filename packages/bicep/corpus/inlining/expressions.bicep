param on bool
param list array
resource store 'Contoso.Data/stores@2024-03-01' = {
  name: 'store'
}
var parenthesised = (store.properties)
var asserted = store!.properties.x
var called = store.listKeys().primary
var chosen = on ? store.properties.x : 'none'
var negated = -length(store.properties.list)
var text = 'a${store.properties.x}'
var listed = [...store.properties.list, 1]
var merged = { ...store.properties, '${store.properties.x}': 1 }
var mapped = map(list, item => '${item}${store.properties.x}')
var indexed = list[length(store.properties.list)]
var sum = 1 + length(store.properties.list)
var safe = store.?properties.x ?? 'none'
var nothing = { a: [list, on] }
output all array = [
  parenthesised
  asserted
  called
  chosen
  negated
  text
  listed
  merged
  mapped
  indexed
  sum
  safe
  nothing
]
