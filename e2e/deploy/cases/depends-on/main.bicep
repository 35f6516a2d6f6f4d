extension radius

resource last 'Radius.Test/widgets@2025-01-01' = {
  name: 'last'
  properties: {
    title: 'last'
  }
  dependsOn: [
    middle
  ]
}

resource first 'Radius.Test/widgets@2025-01-01' = {
  name: 'first'
  properties: {
    title: 'first'
    workMs: 30
  }
}

module middle 'middle.bicep' = {
  name: 'middle'
  dependsOn: [
    first
  ]
}
