param names array
var upper = [for name in names: toUpper(name)]
var objects = [for (name, i) in names: {
  name: name
  index: i
}]
var constant = [for i in range(0, 3): 'x']
var plain = 'first'
output all array = [upper, objects, constant, plain]
