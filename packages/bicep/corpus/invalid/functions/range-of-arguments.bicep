var a = substring('abc', 5)
var b = padLeft('x', 'y')
var c = range('a', 2)
