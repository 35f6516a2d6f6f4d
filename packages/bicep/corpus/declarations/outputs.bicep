param names array
output text string = 'x'
output number int = length(names)
output flag bool = empty(names)
output list array = names
output map object = { names: names }
output loop array = [for name in names: toUpper(name)]
output objects array = [for (name, i) in names: { name: name, index: i }]
