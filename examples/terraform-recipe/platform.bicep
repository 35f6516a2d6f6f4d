extension radius

@description('Where the Terraform module is, in any form that Terraform knows')
param moduleSource string

resource settings 'Radius.Core/terraformSettings@2025-08-01-preview' = {
  name: 'recipes'
  properties: {
    logging: {
      level: 'ERROR'
    }
  }
}

resource databases 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: 'databases'
  properties: {
    recipes: {
      'Radius.Data/postgreSqlDatabases': {
        kind: 'terraform'
        source: moduleSource
        parameters: {
          size: 'large'
        }
      }
    }
  }
}

resource environment 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'dev'
  properties: {
    recipePacks: [
      databases.id
    ]
    terraformSettings: settings.id
  }
}
