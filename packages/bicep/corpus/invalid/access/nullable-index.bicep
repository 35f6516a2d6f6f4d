param list string[]
param at int?
output a string = list[at]
