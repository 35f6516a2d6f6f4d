var a = concat('x' 'y')
var b = concat([1]
[2])
var c = concat([1],)
var d = concat(
