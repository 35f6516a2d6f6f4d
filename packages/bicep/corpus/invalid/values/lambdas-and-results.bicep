var a = sort(['x', 'y'], (l, r) => 1)
var b = reduce([1], 0, (x, y) => missing)
var c = toObject(['x'], x => 1)
output d string = map(['x'], x => x)
