extension radius

@description('A part of the shop that runs in a container of its own')
type Service = {
  name: string
  image: string

  @minValue(1)
  @maxValue(65535)
  port: int
}

param services Service[] = [
  { name: 'web', image: 'ghcr.io/example/shop-web:1.0', port: 8080 }
  { name: 'orders', image: 'ghcr.io/example/shop-orders:1.0', port: 9090 }
]

@description('Whether the shop can be reached from outside')
param public bool = true

@description('Keeps what customers look at close by')
param cached bool = false

resource environment 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'shop-env'
  location: 'global'
  properties: {
    compute: {
      kind: 'kubernetes'
      namespace: 'shop'
    }
  }
}

resource application 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  location: 'global'
  properties: {
    environment: environment.id
  }
}

module service 'service.bicep' = [
  for item in services: {
    name: 'shop-${item.name}'
    params: {
      application: application.id
      name: item.name
      image: item.image
      port: item.port
    }
  }
]

resource cache 'Applications.Datastores/redisCaches@2023-10-01-preview' = if (cached) {
  name: 'shop-cache'
  location: 'global'
  properties: {
    environment: environment.id
    application: application.id
    resourceProvisioning: 'manual'
    host: 'cache.example.com'
    port: 6379
  }
}

resource gateway 'Applications.Core/gateways@2023-10-01-preview' = if (public) {
  name: 'shop-gateway'
  location: 'global'
  properties: {
    application: application.id
    routes: [
      {
        path: '/'
        destination: service[0].outputs.url
      }
    ]
  }
}

output urls array = [for (item, index) in services: service[index].outputs.url]
