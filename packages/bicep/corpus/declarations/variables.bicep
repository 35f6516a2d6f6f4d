param n int
var plain = 'x'
var list = [1, plain, n]
var nested = { a: { b: list } }
var picked = nested.a.b[0]
output picked int = picked
