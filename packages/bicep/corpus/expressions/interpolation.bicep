param name string
param count int
var whole = '${name}'
var several = '${name}-${count}-${name}'
var braces = '{${name}}'
var nested = '${toUpper('x${name}')}'
output all array = [whole, several, braces, nested]
