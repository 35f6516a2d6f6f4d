extension radius

param title string

resource source 'Radius.Test/widgets@2025-01-01' = {
  name: 'second-source'
  properties: {
    title: title
    size: 3
  }
}

resource broken 'Radius.Test/widgets@2025-01-01' = {
  name: 'second-broken'
  properties: {
    title: split(source.properties.title, 'o')[source.properties.size]
  }
}
