param p string
metadata a = p
metadata b = 'x${p}'
@description('x${p}')
param c string
@minLength(1 + 1)
param d string
