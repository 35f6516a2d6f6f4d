output a string = 'x'
var b = a
metadata m = 'y'
var c = m
