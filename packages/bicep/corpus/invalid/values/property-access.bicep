var o = { name: 1, size: 2 }
var a = o.nam
var b = o.colour
var c = {}.x
var d = 'text'.x
var e = [1].x
