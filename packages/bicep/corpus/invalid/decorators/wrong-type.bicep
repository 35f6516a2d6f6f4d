@secure()
param a int
@minValue(1)
param b string
@minLength(1)
param c bool
@sealed()
param d string
