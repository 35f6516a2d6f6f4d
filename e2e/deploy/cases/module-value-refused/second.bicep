extension radius

param title string

@maxValue(10)
param size int

resource second 'Radius.Test/widgets@2025-01-01' = {
  name: 'second'
  properties: {
    title: '${title} of ${size}'
  }
}
