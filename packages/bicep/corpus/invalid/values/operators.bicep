var a = 'x' + 'y'
var b = !1
var c = -'x'
var d = 1 && true
var e = 'x' < 1
var f = 1 =~ 'x'
