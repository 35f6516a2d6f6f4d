extension radius

param product string

resource environment 'Radius.Core/environments@2025-08-01-preview' = {
  name: product
  location: 'global'
  properties: {}
}

module front 'team.bicep' = {
  name: 'front-team'
  params: {
    environment: environment.id
    team: 'front'
  }
}

module back 'team.bicep' = {
  name: 'back-team'
  params: {
    environment: environment.id
    team: 'back'
    upstream: front.outputs.endpoint
  }
}

output endpoints array = [front.outputs.endpoint, back.outputs.endpoint]
