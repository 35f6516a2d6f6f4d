param text string
param number int
var o = { name: 1 }
var a = o.?nam
var b = o[?'missing']
var c = text.?length
var d = [1, 2][?5]
var e = number[?0]
