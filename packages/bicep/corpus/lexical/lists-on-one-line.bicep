var numbers = [1, 2, 3]
var trailing = [1, 2, ]
var point = { x: 1, y: 2 }
var mixed = { a: 1, b: 2
  c: 3 }
var empties = { list: [], object: {} }
output everything array = [numbers, trailing, point, mixed, empties]
