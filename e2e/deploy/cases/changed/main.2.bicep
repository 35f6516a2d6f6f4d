extension radius

resource kept 'Radius.Test/widgets@2025-01-01' = {
  name: 'kept'
  properties: {
    title: 'kept'
    size: 3
  }
}

resource changed 'Radius.Test/widgets@2025-01-01' = {
  name: 'changed'
  properties: {
    title: 'second version'
    labels: {
      b: '2'
      c: '3'
    }
  }
}

resource added 'Radius.Test/widgets@2025-01-01' = {
  name: 'added'
  properties: {
    title: 'after ${changed.properties.title}'
  }
}
