module a 'same-file-twice/part.bicep' = {
  name: 'a'
  params: { value: 1 }
}
module b './same-file-twice/../same-file-twice/part.bicep' = {
  name: 'b'
  params: { value: a.outputs.value + 1 }
}
