extension radius

param source string

resource broken 'Radius.Test/probes@2025-01-01' = {
  name: 'broken'
  properties: {
    fail: 'refused because of ${source}'
  }
}

output text string = broken.name
