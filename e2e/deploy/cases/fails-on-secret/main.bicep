extension radius

@secure()
param password string

resource widget 'Radius.Test/widgets@2025-01-01' = {
  name: 'careless'
  properties: {
    title: 'fine'
  }
}

resource leaky 'Radius.Test/vaults@2025-01-01' = {
  name: 'leaky'
  properties: {
    user: widget.properties.title
    password: password
    echo: true
  }
}

module inner 'inner.bicep' = {
  name: 'inner'
  params: {
    password: password
    index: length(widget.properties.title)
  }
}
