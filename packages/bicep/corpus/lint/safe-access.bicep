type item = { name: string?, tags: { *: string }?, list: string[]? }
param item1 item
param key string
@description('All.')
output all array = [
  item1.name
  item1.name!
  item1.?name
  item1['name']
  item1.list
]
@description('Old way.')
output old string = contains(item1, key) ? item1[key] : 'none'
@description('Not the same.')
output other string = contains(item1, 'name') ? item1.tags!.x : 'none'
