extension radius

@minLength(3)
param prefix string

resource disk 'Radius.Test/widgets@2025-01-01' = {
  name: '${prefix}-disk'
  properties: {
    title: 'disk of ${prefix}'
    size: 20
  }
}

output id string = disk.id
output host string = disk.properties.host
