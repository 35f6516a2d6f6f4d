extension radius

@secure()
param password string

resource environment 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'dev'
  location: 'global'
  properties: {
    providers: {
      kubernetes: {
        namespace: 'dev'
        #disable-next-line BCP037
        namespaces: password
      }
    }
  }
}

resource extender 'Applications.Core/extenders@2023-10-01-preview' = {
  name: 'mail'
  properties: {
    environment: environment.id
    resourceProvisioning: 'manual'
  }
}

module part 'part.bicep' = {
  name: 'part'
  params: {
    environment: environment.id
  }
}
