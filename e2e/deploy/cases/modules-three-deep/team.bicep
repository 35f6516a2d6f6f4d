extension radius

param environment string
param team string
param upstream string = ''

resource application 'Radius.Core/applications@2025-08-01-preview' = {
  name: '${team}-app'
  location: 'global'
  properties: {
    environment: environment
  }
}

module service 'service.bicep' = {
  name: '${team}-service'
  params: {
    application: application.id
    title: empty(upstream) ? team : '${team} behind ${upstream}'
    name: team
  }
}

output endpoint string = service.outputs.endpoint
