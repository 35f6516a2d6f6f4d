var a = [for (x, x) in [1]: x]
var b = map([1], (y, y) => y)
