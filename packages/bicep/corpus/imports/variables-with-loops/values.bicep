@export()
var numbers = [for i in range(0, 3): i * 2]
@export()
var table = [for (n, i) in base: { n: n, i: i }]
var base = ['a', 'b']
