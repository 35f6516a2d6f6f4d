extension radius

param environment string

resource application 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'shop'
  location: 'global'
  properties: {
    environment: environment
    #disable-next-line BCP037
    extension: [
      {
        kind: 'kubernetesNamespace'
      }
    ]
  }
}
