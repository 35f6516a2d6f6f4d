extension radius

resource widget 'Radius.Test/widgets@2025-01-01' = {
  name: 'Spelled'
  properties: {
    title: 'spelled'
  }
}
