extension radius

param mirrorUrl string
param mirrorHost string
param registryHost string
param secretId string
param caFile string
param moduleSource string
param namespace string

resource settings 'Radius.Core/terraformSettings@2025-08-01-preview' = {
  name: 'cluster'
  properties: {
    terraformrc: {
      providerInstallation: {
        networkMirror: {
          url: mirrorUrl
        }
      }
      credentials: {
        '${mirrorHost}': { token: { secretId: secretId, key: 'mirror' } }
        '${registryHost}': { token: { secretId: secretId, key: 'registry' } }
      }
    }
    env: {
      SSL_CERT_FILE: caFile
    }
  }
}

resource environment 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'cluster'
  properties: {
    compute: { kind: 'kubernetes', resourceId: 'self', namespace: namespace }
    terraformSettings: settings.id
    recipes: {
      'Applications.Core/extenders': {
        default: {
          templateKind: 'terraform'
          templatePath: moduleSource
          templateVersion: '1.0.0'
          parameters: { namespace: namespace }
        }
      }
    }
  }
}

resource shop 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: {
    environment: environment.id
  }
}

resource cache 'Applications.Core/extenders@2023-10-01-preview' = {
  name: 'cache'
  properties: {
    application: shop.id
    environment: environment.id
    recipe: { name: 'default' }
  }
}
