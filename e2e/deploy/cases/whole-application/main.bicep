extension radius

import { tierOf } from 'tiers.bicep'

@description('What the shop is called')
param shop string = 'bazaar'
param regions { name: string, replicas: int }[] = [
  { name: 'eu', replicas: 2 }
  { name: 'us', replicas: 1 }
]

@secure()
param databasePassword string

resource environment 'Radius.Core/environments@2025-08-01-preview' = {
  name: '${shop}-env'
  location: 'global'
  properties: {}
}

resource application 'Radius.Core/applications@2025-08-01-preview' = {
  name: shop
  location: 'global'
  properties: {
    environment: environment.id
  }
}

resource database 'Radius.Test/vaults@2025-01-01' = {
  name: '${shop}-database'
  properties: {
    environment: environment.id
    application: application.id
    user: shop
    password: databasePassword
  }
}

module region 'region.bicep' = [
  for item in regions: {
    name: '${shop}-${item.name}'
    params: {
      application: application.id
      name: '${shop}-${item.name}'
      tier: tierOf(item.replicas)
      replicas: item.replicas
      databasePassword: database.listSecrets().password
    }
  }
]

resource gateway 'Radius.Test/widgets@2025-01-01' = {
  name: '${shop}-gateway'
  properties: {
    application: application.id
    title: 'routes to ${length(regions)} regions'
    settings: {
      backends: [for index in range(0, 2): region[index].outputs.backends]
    }
  }
}

output url string = 'https://${gateway.properties.host}'
output tiers array = [for (item, index) in regions: region[index].outputs.tier]
