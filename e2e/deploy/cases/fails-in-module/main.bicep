extension radius

module outer 'outer.bicep' = {
  name: 'outer'
}

module beside 'beside.bicep' = {
  name: 'beside'
}

resource after 'Radius.Test/widgets@2025-01-01' = {
  name: 'after'
  properties: {
    title: outer.outputs.text
  }
}

output text string = outer.outputs.text
