extension radius

param withCache bool = true

resource cache 'Radius.Test/widgets@2025-01-01' = if (withCache) {
  name: 'cache'
  properties: {
    title: 'cache'
  }
}

resource service 'Radius.Test/widgets@2025-01-01' = {
  name: 'service'
  properties: {
    title: 'service'
    source: withCache ? cache!.id : 'none'
  }
}
