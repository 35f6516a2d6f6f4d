@metadata({ example: 'x', nested: { a: [1, true] } })
param a string
@metadata({ example: 'x' })
@description('Both.')
param b string
@description('First.')
@minLength(3)
param c string
@metadata({ note: 'n' })
@minLength(3)
param d string
output all array = [a, b, c, d]
