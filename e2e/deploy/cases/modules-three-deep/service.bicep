extension radius

param application string
param name string
param title string

resource widget 'Radius.Test/widgets@2025-01-01' = {
  name: name
  properties: {
    application: application
    title: title
  }
}

output endpoint string = 'https://${widget.properties.host}'
