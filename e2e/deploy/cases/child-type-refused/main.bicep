extension radius

resource parent 'Radius.Test/widgets@2025-01-01' = {
  name: 'parent'
  properties: {
    title: 'parent'
  }
}

resource child 'Radius.Test/widgets/screws@2025-01-01' = {
  name: 'parent/child'
  properties: {}
  dependsOn: [
    parent
  ]
}
