var a = a
var b = c
var c = b
func f() int => g()
func g() int => f()
var d = a
