var a = [for x in 'text': x]
param n string[]?
var b = [for x in n: x]
