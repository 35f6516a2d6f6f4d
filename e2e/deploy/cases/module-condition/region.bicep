extension radius

param name string

resource widget 'Radius.Test/widgets@2025-01-01' = {
  name: name
  properties: {
    title: name
  }
}

output host string = widget.properties.host
