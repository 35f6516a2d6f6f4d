@secure()
param secret string
param open string
@secure()
@description('Both.')
output both string = '${secret}${open}'
