extension radius

@retryOn(['ServiceUnavailable'], 4)
resource shy 'Radius.Test/probes@2025-01-01' = {
  name: 'shy'
  properties: {
    refusals: 2
  }
}

resource after 'Radius.Test/widgets@2025-01-01' = {
  name: 'after'
  properties: {
    title: 'after ${shy.name}'
  }
}
