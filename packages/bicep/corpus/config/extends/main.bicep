param a string
var b = 1
