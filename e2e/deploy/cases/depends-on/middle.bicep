extension radius

resource middle 'Radius.Test/widgets@2025-01-01' = {
  name: 'middle'
  properties: {
    title: 'middle'
  }
}
