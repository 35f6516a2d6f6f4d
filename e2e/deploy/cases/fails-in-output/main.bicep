extension radius

resource widget 'Radius.Test/widgets@2025-01-01' = {
  name: 'widget'
  properties: {
    title: 'made all the same'
  }
}

output fine string = widget.properties.title
output broken string = widget.properties.labels.missing
