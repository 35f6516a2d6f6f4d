extension radius

@description('Where the Terraform module is, in any form that Terraform knows')
param moduleSource string

@description('The registry that Bicep recipes come from')
param registry string = 'registry.example.com'

// One place for what all environments of the company have in common.
resource terraform 'Radius.Core/terraformSettings@2025-08-01-preview' = {
  name: 'corp'
  properties: {
    env: {
      TF_REGISTRY_CLIENT_TIMEOUT: '15'
    }
    logging: {
      level: 'ERROR'
    }
  }
}

resource bicep 'Radius.Core/bicepSettings@2025-08-01-preview' = {
  name: 'corp'
  properties: {
    authentication: {
      registries: {
        '${registry}': {
          azureWorkloadIdentity: {
            clientId: '11111111-1111-1111-1111-111111111111'
            tenantId: '22222222-2222-2222-2222-222222222222'
          }
        }
      }
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
      }
    }
  }
}

// What differs between them stays in the environments.
resource environments 'Radius.Core/environments@2025-08-01-preview' = [
  for stage in [
    { name: 'staging', size: 'small' }
    { name: 'production', size: 'large' }
  ]: {
    name: stage.name
    properties: {
      recipePacks: [
        databases.id
      ]
      recipeParameters: {
        'Radius.Data/postgreSqlDatabases': {
          size: stage.size
        }
      }
      terraformSettings: terraform.id
      bicepSettings: bicep.id
    }
  }
]
