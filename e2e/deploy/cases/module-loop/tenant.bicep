extension radius

param name string
param size int

resource widgets 'Radius.Test/widgets@2025-01-01' = [
  for index in range(0, size): {
    name: '${name}-${index}'
    properties: {
      title: '${name} ${index + 1}/${size}'
    }
  }
]

output host string = widgets[0].properties.host
