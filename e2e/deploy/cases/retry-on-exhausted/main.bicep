extension radius

@retryOn(['ServiceUnavailable'], 1)
resource stubborn 'Radius.Test/probes@2025-01-01' = {
  name: 'stubborn'
  properties: {
    refusals: 100
  }
}
