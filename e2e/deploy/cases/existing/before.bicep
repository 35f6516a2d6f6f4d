extension radius

resource shared 'Radius.Test/widgets@2025-01-01' = {
  name: 'shared'
  properties: {
    title: 'made earlier'
    size: 7
    labels: {
      zone: 'a'
    }
  }
}
