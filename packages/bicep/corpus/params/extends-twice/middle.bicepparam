using none
extends 'bottom.bicepparam'
var suffix = 'y'
param name = '${base.name}-${suffix}'
param copy = base.input
