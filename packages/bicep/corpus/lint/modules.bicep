module part 'modules/part.bicep' = {
  name: 'part'
}
module given 'modules/part.bicep' = {
  params: { location: 'east' }
}
output text string = '${part.outputs.text}${given.outputs.text}'
