module m 'module-members/part.bicep' = {
  name: 'm'
}
var a = m.outputs['missing']
var b = m['outputs'].text
var c = m.scope
var d = m.params
