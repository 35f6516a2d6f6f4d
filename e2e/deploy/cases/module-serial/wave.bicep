extension radius

param wave int

resource widget 'Radius.Test/widgets@2025-01-01' = {
  name: 'wave-${wave}'
  properties: {
    title: 'wave ${wave}'
  }
}

output title string = widget.properties.title
