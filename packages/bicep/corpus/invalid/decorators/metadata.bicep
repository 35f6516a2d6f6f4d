@metadata({ description: 1 })
param a string
@metadata('x')
param b string
@description(5)
param c string
