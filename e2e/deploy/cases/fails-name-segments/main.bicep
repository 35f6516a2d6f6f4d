extension radius

resource never 'Radius.Test/widgets@2025-01-01' = {
  name: 'never'
  properties: {
    title: 'never made'
  }
}

resource child 'Radius.Test/widgets/screws@2025-01-01' = {
  name: 'child'
  properties: {}
}
