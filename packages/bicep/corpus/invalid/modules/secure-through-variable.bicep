module a 'secure-through-variable/part.bicep' = {
  name: 'a'
}
var indirect = a
@secure()
output b string = indirect.outputs.password
