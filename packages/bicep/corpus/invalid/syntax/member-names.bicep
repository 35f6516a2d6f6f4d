param o object
var a = o.
var b = o.5
var c = o[]
var d = o.?f()
