type size = 'small' | 'large'
var chosen = 'medium'
param a { size: size } = { size: 'smal' }
output b size = chosen
var shape = { size: 'smal' }
output c { size: size } = shape
