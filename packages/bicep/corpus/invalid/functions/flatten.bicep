var a = flatten([1, 2])
var b = flatten('x')
