extension radius

param application string
param name string
param tier string
param replicas int
@secure()
param databasePassword string

resource credentials 'Radius.Test/vaults@2025-01-01' = {
  name: '${name}-credentials'
  properties: {
    application: application
    user: name
    password: databasePassword
  }
}

module service 'service.bicep' = [
  for index in range(0, replicas): {
    name: '${name}-service-${index}'
    params: {
      application: application
      name: '${name}-${index}'
      tier: tier
      credentials: credentials.id
    }
  }
]

output backends array = [for index in range(0, replicas): service[index].outputs.host]
output tier string = tier
