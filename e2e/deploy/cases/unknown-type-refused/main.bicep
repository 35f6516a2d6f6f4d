extension radius

resource known 'Radius.Test/widgets@2025-01-01' = {
  name: 'known'
  properties: {
    title: 'known'
  }
}

resource stranger 'Radius.Nowhere/things@2025-01-01' = {
  name: 'stranger'
  properties: {}
}

resource tooNew 'Radius.Test/widgets@2031-01-01' = {
  name: 'too-new'
  properties: {
    title: 'too new'
  }
}
