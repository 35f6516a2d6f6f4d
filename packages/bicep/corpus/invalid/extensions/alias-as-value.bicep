extension radius
var a = radius
output b object = radius
