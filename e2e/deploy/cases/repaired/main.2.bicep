extension radius

resource shy 'Radius.Test/probes@2025-01-01' = {
  name: 'shy'
  properties: {
    refusals: 1
  }
}

resource after 'Radius.Test/widgets@2025-01-01' = {
  name: 'after'
  properties: {
    title: 'after ${shy.name}'
    source: shy.id
  }
}
