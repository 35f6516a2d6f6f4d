param o object
param list array
var a = o[^1]
var b = list[^'x']
