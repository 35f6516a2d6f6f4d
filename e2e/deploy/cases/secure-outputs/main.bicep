extension radius

@secure()
param seed string

module source 'source.bicep' = {
  name: 'source'
  params: {
    seed: seed
  }
}

module sink 'sink.bicep' = {
  name: 'sink'
  params: {
    connection: source.outputs.connection
    user: source.outputs.user
  }
}

@secure()
output connection string = source.outputs.connection
output user string = sink.outputs.user
