var
var a
var b =
var c int 5
var = 5
