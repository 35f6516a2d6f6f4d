param names array
var upper = [for name in names: toUpper('${name}')]
var filtered = filter(upper, name => name != 'X')
output all array = [upper, filtered]
