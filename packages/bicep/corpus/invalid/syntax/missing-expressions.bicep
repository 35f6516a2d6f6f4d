var a = 5 +
var b = 5 + * 3
var c = !!true
var d = true ? : 1
var e = true ? 1
var f = (1 + )
