using 'extends-twice/main.bicep'
extends 'extends-twice/middle.bicepparam'
var suffix = 'z'
param name = '${base.name}-${suffix}'
