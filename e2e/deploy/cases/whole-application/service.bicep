extension radius

param application string
param name string
param tier string
param credentials string

resource widget 'Radius.Test/widgets@2025-01-01' = {
  name: name
  properties: {
    application: application
    title: '${name} (${tier})'
    source: credentials
  }
}

output host string = widget.properties.host
