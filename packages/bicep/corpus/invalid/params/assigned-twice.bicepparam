using none
param a = 1
param a = 2
var b = 1
var b = 2
