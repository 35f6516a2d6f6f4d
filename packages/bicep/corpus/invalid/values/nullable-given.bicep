param a string?
output b string = a
output c int = length(a)
var d = a.length
