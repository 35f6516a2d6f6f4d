var a = 1 / 0
var b = 1 % 0
param c int
var d = c % 0
