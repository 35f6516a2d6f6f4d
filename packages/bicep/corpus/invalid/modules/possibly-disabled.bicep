param deploy bool
module a 'possibly-disabled/part.bicep' = if (deploy) {
  name: 'a'
}
output b string = a.outputs.text
output c string = a.name
