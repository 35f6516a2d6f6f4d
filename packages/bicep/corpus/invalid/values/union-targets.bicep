type size = 'small' | 'large'
@allowed(['small', 'medium'])
param some string
output a size = some
var list = ['small', 'tiny']
output b size[] = list
output c (size | null) = null
output d size = null
