extension radius

param team string

resource environment 'Radius.Core/environments@2025-08-01-preview' = {
  name: '${team}-env'
  location: 'global'
  properties: {
    providers: {
      kubernetes: {
        namespace: team
      }
    }
  }
}

resource application 'Radius.Core/applications@2025-08-01-preview' = {
  name: '${team}-app'
  location: 'global'
  properties: {
    environment: environment.id
  }
}

output environmentId string = environment.id
output applicationName string = application.name
