extension radius

resource environment 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'legacy-env'
  location: 'global'
  properties: {
    compute: {
      kind: 'kubernetes'
      namespace: 'legacy'
    }
  }
}

resource application 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'legacy-app'
  location: 'global'
  tags: {
    owner: 'platform'
  }
  properties: {
    environment: environment.id
  }
}

output type string = application.type
output tags object = application.tags
