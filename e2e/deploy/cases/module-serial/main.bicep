@batchSize(1)
module waves 'wave.bicep' = [
  for index in range(1, 3): {
    name: 'wave-${index}'
    params: {
      wave: index
    }
  }
]

output order array = [for index in range(0, 3): waves[index].outputs.title]
