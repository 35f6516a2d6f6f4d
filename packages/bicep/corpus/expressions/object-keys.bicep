param name string
var keys = {
  plain: 1
  'quoted-key': 2
  '${name}': 3
  'x-${name}': 4
  copy: 5
  'true': 6
}
output keys object = keys
output inCall object = union(keys, { '${name}': 1, 'a-b': 2 })
