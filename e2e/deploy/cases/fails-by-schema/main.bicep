extension radius

resource oversized 'Radius.Test/widgets@2025-01-01' = {
  name: 'oversized'
  properties: {
    title: 'oversized'
    size: 5000
    unheardOf: true
  }
}

resource fine 'Radius.Test/widgets@2025-01-01' = {
  name: 'fine'
  properties: {
    title: 'fine'
    size: 5
  }
}
