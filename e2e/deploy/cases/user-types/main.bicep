extension radius

@discriminator('kind')
type store = diskStore | memoryStore

type diskStore = {
  kind: 'disk'
  path: string
  @minValue(1)
  gigabytes: int
}

type memoryStore = {
  kind: 'memory'
  evict: ('lru' | 'ttl')?
}

@sealed()
type service = {
  @minLength(2)
  @maxLength(12)
  name: string
  store: store
  ports: int[]
}

param services service[]

@description('How it is called in outputs')
type summary = {
  name: string
  text: string
}

resource widgets 'Radius.Test/widgets@2025-01-01' = [
  for item in services: {
    name: item.name
    properties: {
      title: item.name
      size: length(item.ports)
      settings: item.store
    }
  }
]

output summaries summary[] = [
  for (item, index) in services: {
    name: widgets[index].name
    text: item.store.kind == 'disk' ? '${item.store.gigabytes} GB' : item.store.?evict ?? 'keeps everything'
  }
]
