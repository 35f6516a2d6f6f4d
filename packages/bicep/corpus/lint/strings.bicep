param name string
var joined = concat(name, '-x')
var simple = '${name}'
@description('All.')
output all object = {
  'joined': joined
  simple: simple
  'odd-key': 1
}
@description('One.')
output one string = any({})['name']
