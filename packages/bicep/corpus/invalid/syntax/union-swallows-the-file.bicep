type a = 'x' | =
var b =
foo
