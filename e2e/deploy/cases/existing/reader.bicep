extension radius

resource shared 'Radius.Test/widgets@2025-01-01' existing = {
  name: 'shared'
}

output host string = shared.properties.host
