module part 'part.bicep' = {
  name: 'part'
  params: {
    titles: ['one', 'two']
  }
}

output titles array = part.outputs.titles
