extension radius

resource broken 'Radius.Test/probes@2025-01-01' = {
  name: 'broken'
  properties: {
    fail: 'the disk is on fire'
  }
}

resource dependent 'Radius.Test/widgets@2025-01-01' = {
  name: 'dependent'
  properties: {
    title: 'needs ${broken.name}'
    source: broken.id
  }
}

resource grandchild 'Radius.Test/widgets@2025-01-01' = {
  name: 'grandchild'
  properties: {
    title: 'needs ${dependent.properties.title}'
  }
}

resource independent 'Radius.Test/widgets@2025-01-01' = {
  name: 'independent'
  properties: {
    title: 'goes on'
  }
}

resource afterwards 'Radius.Test/widgets@2025-01-01' = {
  name: 'afterwards'
  properties: {
    title: 'goes on after ${independent.properties.title}'
  }
}
