extension radius

resource absent 'Radius.Test/widgets@2025-01-01' existing = {
  name: 'absent'
}

resource user 'Radius.Test/widgets@2025-01-01' = {
  name: 'user'
  properties: {
    title: absent.properties.title
  }
}

resource bystander 'Radius.Test/widgets@2025-01-01' = {
  name: 'bystander'
  properties: {
    title: 'not concerned'
  }
}
