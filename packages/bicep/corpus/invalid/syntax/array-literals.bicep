var a = [1 2]
var b = [1,
2]
var c = [1,,2]
var d = [,]
