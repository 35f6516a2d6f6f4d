extension radius

resource beside 'Radius.Test/widgets@2025-01-01' = {
  name: 'beside'
  properties: {
    title: 'beside'
  }
}
