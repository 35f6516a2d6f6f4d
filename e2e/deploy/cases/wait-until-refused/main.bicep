extension radius

param patience string = 'a while'

resource before 'Radius.Test/widgets@2025-01-01' = {
  name: 'before'
  properties: {
    title: 'before'
  }
}

@waitUntil(probe => probe.properties.answers > 1, patience)
resource probe 'Radius.Test/probes@2025-01-01' = {
  name: 'probe'
  properties: {
    answers: 3
  }
  dependsOn: [
    before
  ]
}
