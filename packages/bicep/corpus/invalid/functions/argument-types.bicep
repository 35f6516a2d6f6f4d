var a = toLower(1)
var b = length(5)
var c = substring('x', 'y')
