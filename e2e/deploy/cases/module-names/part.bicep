extension radius

param name string
param after string = ''

resource widget 'Radius.Test/widgets@2025-01-01' = {
  name: name
  properties: {
    title: name
    source: after
  }
}

output id string = widget.id
