extension radius

resource corpTerraformSettings 'Radius.Core/terraformSettings@2025-08-01-preview' = {
  name: 'corpTerraformSettings'
  properties: {
    terraformrc: {
      providerInstallation: {
        networkMirror: {
          url: 'https://mirror.corp.example.com/terraform/providers'
          include: [
            '*'
          ]
          exclude: [
            'hashicorp/azurerm'
          ]
        }
        direct: {
          exclude: [
            'hashicorp/azurerm'
          ]
        }
      }

      credentials: {
        'app.terraform.io': {
          token: {
            secretId: '/planes/radius/local/providers/Radius.Security/secrets/tfc-token'
            key: 'token'
          }
        }
      }
    }

    backend: {
      type: 'kubernetes'
      config: {
        secretSuffix: 'prod-terraform-state'
        namespace: 'radius-system'
      }
    }

    env: {
      TF_LOG: 'TRACE'
      TF_REGISTRY_CLIENT_TIMEOUT: '15'
    }

    logging: {
      level: 'TRACE'
    }
  }
}

resource prodEnvironment 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'prod'
  properties: {
    compute: {
      kind: 'kubernetes'
      namespace: 'prod-apps'
    }
    terraformSettings: corpTerraformSettings.id
    bicepSettings: corpBicepSettings.id
  }
}

resource corpBicepSettings 'Radius.Core/bicepSettings@2025-08-01-preview' = {
  name: 'corpBicepSettings'
  properties: {
    authentication: {
      registries: {
        'bicep.azurecr.io': {
          basic: {
            username: 'bicep-registry-user'
            password: {
              secretId: '/planes/radius/local/providers/Radius.Security/secrets/bicep-registry'
              key: 'password'
            }
          }
        }
      }
    }
  }
}
