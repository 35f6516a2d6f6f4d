using none
var zero = 0
param a = 1 / zero
param b = int('text')
param c = json('{')
