param param string
var var = 'v'
var resource = 'r'
var module = 'm'
var output = 'o'
var targetScope = 't'
var for = 1
var existing = { if: true, in: 'x', type: 3, import: null, metadata: [] }
output words array = [param, var, resource, module, output, targetScope, for, existing.if, existing.in]
