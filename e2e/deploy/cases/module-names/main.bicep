module first 'part.bicep' = {
  params: {
    name: 'first'
  }
}

module others 'part.bicep' = [
  for name in ['second', 'third']: {
    params: {
      name: name
      after: first.outputs.id
    }
  }
]

output hasName bool = !empty(deployment().name)
output others array = [for index in range(0, 2): others[index].outputs.id]
