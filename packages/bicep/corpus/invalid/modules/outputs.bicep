module a 'outputs/part.bicep' = {
  name: 'a'
}
output b string = a.outputs.txt
output c string = a.nothing
output d int = a.outputs.text
