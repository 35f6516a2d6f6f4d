var a = 1 & 2
var b = $b
