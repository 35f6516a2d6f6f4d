using 'external-input-expressions/main.bicep'
import { decorate, shape, squares, limits as shared } from 'external-input-expressions/shared.bicep'
var input = externalInput('sys.cli', 'settings')
var fixed = ['a', 'b']
param property = input.name
param item = input.list[length(fixed) - 1]
param listed = [input.name, 'x', 5, true, null, { inner: fixed }]
param table = { name: input.name, other: fixed }
param mapped = map(fixed, x => '${x}${input.name}')
param decorated = decorate(input.name)
param shaped = shape(input.name)
param looped = [for x in fixed: '${x}-${input.name}']
param again = property
param numbers = squares
param limits = shared
param chosen = input.on ? fixed[0] : toUpper('none')
