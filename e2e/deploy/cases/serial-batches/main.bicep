extension radius

@batchSize(2)
resource steps 'Radius.Test/widgets@2025-01-01' = [
  for index in range(1, 5): {
    name: 'step-${index}'
    properties: {
      title: 'step ${index} of 5'
    }
  }
]

resource done 'Radius.Test/widgets@2025-01-01' = {
  name: 'done'
  properties: {
    title: 'after ${length(steps)} steps'
  }
  dependsOn: [
    steps
  ]
}
