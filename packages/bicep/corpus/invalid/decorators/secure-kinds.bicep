@secure()
param a 'x' | 'y'
@secure()
param b { c: string }
@secure()
output c int = 1
@secure()
type d = string | null
