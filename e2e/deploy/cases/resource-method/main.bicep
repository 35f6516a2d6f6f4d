extension radius

resource counter 'Radius.Test/vaults@2025-01-01' = {
  name: 'counter'
  properties: {
    user: 'counter'
  }
}

resource widget 'Radius.Test/widgets@2025-01-01' = {
  name: 'described'
  properties: {
    title: counter.describe().summary
  }
}

output summary string = counter.describe().summary
output name string = counter.describe().name
