param deploy bool
module a 'modules/part.bicep' = {
  name: 'a'
}
module many 'modules/part.bicep' = [for i in range(0, 2): {
  name: 'many-${i}'
}]
module maybe 'modules/part.bicep' = if (deploy) {
  name: 'maybe'
  dependsOn: [a, many[1]]
}
output text string = a.outputs.text
output second string = many[1].outputs.text
output safe string = maybe.?outputs.text ?? ''
output safer string = maybe.?outputs.?text ?? ''
