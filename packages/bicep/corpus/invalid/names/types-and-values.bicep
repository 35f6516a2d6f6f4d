type size = 'small'
var value = 1
var a = size
param b value
