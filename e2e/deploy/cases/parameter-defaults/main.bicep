extension radius

@allowed(['dev', 'prod'])
param stage string = 'dev'
param name string = '${stage}-service'
@minValue(1)
param replicas int = stage == 'prod' ? 3 : 1
param zones array = replicas > 1 ? ['a', 'b', 'c'] : ['a']
param options object = {
  zones: zones
  title: name
}

resource widget 'Radius.Test/widgets@2025-01-01' = {
  name: name
  properties: {
    title: options.title
    size: replicas
    settings: options
  }
}

output zones string = join(options.zones, '')
