extension radius

resource probes 'Radius.Test/probes@2025-01-01' = [
  for index in range(0, 4): {
    name: 'probe-${index}'
    properties: {
      answers: index
      fail: index % 2 == 1 ? 'number ${index} is odd' : ''
    }
  }
]

resource fine 'Radius.Test/widgets@2025-01-01' = {
  name: 'fine'
  properties: {
    title: 'needs ${probes[2].name}'
    source: probes[2].id
  }
}
