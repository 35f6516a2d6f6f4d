var a = map([1], x =>)
var b = map([1], (x, ) => x)
var c = map([1], => 1)
