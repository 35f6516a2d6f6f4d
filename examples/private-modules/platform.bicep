extension radius

@description('The address of the module in the private repository')
param moduleSource string

@description('The host of the repository, with its port where it is not 443')
param gitHost string

@description('The id of the secret with the key pat, and perhaps username')
param gitSecret string

resource settings 'Radius.Core/terraformSettings@2025-08-01-preview' = {
  name: 'private-modules'
  properties: {
    authentication: {
      git: {
        pat: {
          '${gitHost}': {
            secret: gitSecret
          }
        }
      }
    }
  }
}

resource databases 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: 'private-databases'
  properties: {
    recipes: {
      'Radius.Data/postgreSqlDatabases': {
        kind: 'terraform'
        source: moduleSource
      }
    }
  }
}

resource environment 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'private'
  properties: {
    recipePacks: [
      databases.id
    ]
    terraformSettings: settings.id
  }
}
