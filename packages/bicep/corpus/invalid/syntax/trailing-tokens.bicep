var a = 1 2 3
var b = 'x' 'y'
param c string string
