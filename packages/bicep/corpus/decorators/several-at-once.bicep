@description('A tier.')
@allowed(['basic', 'premium'])
@metadata({ group: 'size' })
param tier string = 'basic'

@minLength(3) // the shortest name
// a comment between decorators

@maxLength(10)
param name string
output all array = [tier, name]
