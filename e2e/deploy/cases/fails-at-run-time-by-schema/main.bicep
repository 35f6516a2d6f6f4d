extension radius

resource small 'Radius.Test/widgets@2025-01-01' = {
  name: 'small'
  properties: {
    title: 'small'
    size: 90
  }
}

resource large 'Radius.Test/widgets@2025-01-01' = {
  name: 'large'
  properties: {
    title: 'large'
    size: small.properties.size * 100
  }
}
