var a = 1
var b = a()
var length = 2
var c = length('x')
