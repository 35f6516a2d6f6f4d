var a = { b: [for i in range(0, 2): i] }
var c = [[for i in range(0, 2): i]]
param d array = [for i in range(0, 2): i]
output e array = concat([for i in range(0, 2): i], [])
