var a = missing
var b = unknownFunction()
var c = strin
output d string = e
param f strnig
