using 'expressions/main.bicep'
var stem = 'shop'
var steps = [for i in range(1, 3): i * 10]
param name = '${toUpper(stem)}-${length(steps)}'
param sizes = steps
param sum = reduce(steps, 0, (a, b) => a + b)
param copyOfName = name
param picked = { first: steps[0], last: steps[^1], none: null }.?last
