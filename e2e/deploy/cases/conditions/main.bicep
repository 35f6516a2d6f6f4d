extension radius

param withCache bool = false
param withQueue bool = true

resource cache 'Radius.Test/widgets@2025-01-01' = if (withCache) {
  name: 'cache'
  properties: {
    title: 'cache'
  }
}

resource queue 'Radius.Test/widgets@2025-01-01' = if (withQueue) {
  name: 'queue'
  properties: {
    title: 'queue'
  }
}

resource service 'Radius.Test/widgets@2025-01-01' = {
  name: 'service'
  properties: {
    title: 'service'
    source: withCache ? cache!.id : 'none'
    labels: {
      queue: queue.?properties.title ?? 'none'
    }
  }
}

resource replicas 'Radius.Test/widgets@2025-01-01' = [
  for index in range(0, 4): if (index % 2 == 0) {
    name: 'replica-${index}'
    properties: {
      title: 'even'
    }
  }
]

output cacheHost string? = withCache ? cache!.properties.host : null
output queueHost string? = queue.?properties.host
output chosen string = withQueue ? queue!.properties.title : 'nothing'
