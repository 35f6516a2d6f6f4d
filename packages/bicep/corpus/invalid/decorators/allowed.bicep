@allowed([])
param a string
@allowed(['x', 1])
param b string
type size = string
@allowed(['x'])
param c size
@allowed(['x'])
param d 'x' | 'y'
