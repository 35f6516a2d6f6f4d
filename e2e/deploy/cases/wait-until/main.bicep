extension radius

@waitUntil(probe => probe.properties.answers > 0, 'PT30S')
resource probe 'Radius.Test/probes@2025-01-01' = {
  name: 'probe'
  properties: {
    answers: 3
  }
}

resource after 'Radius.Test/widgets@2025-01-01' = {
  name: 'after'
  properties: {
    title: 'after ${probe.properties.answers} answers'
  }
}
