@minLength(-1)
param a string
@minLength(5)
@maxLength(3)
param b string
@minValue(5)
@maxValue(3)
param c int
@minLength('x')
param d string
