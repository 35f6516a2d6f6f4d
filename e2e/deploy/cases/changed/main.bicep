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
    title: 'first version'
    labels: {
      a: '1'
      b: '2'
    }
  }
}

resource dropped 'Radius.Test/widgets@2025-01-01' = {
  name: 'dropped'
  properties: {
    title: 'left alone later'
  }
}
