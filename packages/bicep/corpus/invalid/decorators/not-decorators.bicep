@toLower('x')
param a string
@a
param b string
@unknown()
param c string
@description
param d string
