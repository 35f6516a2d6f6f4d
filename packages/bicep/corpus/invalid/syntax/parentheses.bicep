var a = ()
var b = (1, 2)
var c = (
1
)
var d = (1 2)
