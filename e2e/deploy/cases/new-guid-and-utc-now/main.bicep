extension radius

param id string = newGuid()
param at string = utcNow('yyyy-MM-dd')
param label string = 'run-${id}'

resource widget 'Radius.Test/widgets@2025-01-01' = {
  name: 'stamped'
  properties: {
    title: label
    labels: {
      day: at
    }
  }
}

module inner 'inner.bicep' = {
  name: 'inner'
  params: {
    outer: id
  }
}

output consistent bool = widget.properties.title == 'run-${id}' && inner.outputs.outer == id
output distinct bool = inner.outputs.own != id
