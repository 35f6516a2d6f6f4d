extension radius

resource fine 'Radius.Test/widgets@2025-01-01' = {
  name: 'fine'
  properties: {
    title: 'fine'
  }
}

module inner 'inner.bicep' = {
  name: 'inner'
  params: {
    source: fine.id
  }
}

output text string = inner.outputs.text
