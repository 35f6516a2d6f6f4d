param deploy bool
module maybe 'conditional/part.bicep' = if (deploy) {
  name: 'maybe'
}
output safe string = maybe.?outputs.text ?? 'none'
output safer string = maybe.?outputs.?text ?? 'none'
output sure string = maybe!.outputs.text
output chosen string = deploy ? maybe!.outputs.text : ''
