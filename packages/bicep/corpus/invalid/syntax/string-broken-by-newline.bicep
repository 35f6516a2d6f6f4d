var a = 'abc
var b = 'x${a}y
var c = 'x${a
