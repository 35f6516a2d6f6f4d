module part 'part.bicep' = {
  name: 'part'
  params: {
    titles: ['one', 'zwei', 'three']
  }
}

output titles array = part.outputs.titles
