extension radius

@description('The namespace of the environment; the application gets one of its own')
param namespace string

@description('How far the journey has come')
@allowed(['first', 'updated', 'smaller', 'renamed'])
param stage string

@secure()
param password string

var isUpdated = stage != 'first'
var front = stage == 'renamed' ? 'front' : 'web'

resource environment 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'journey'
  location: 'global'
  properties: {
    compute: {
      kind: 'kubernetes'
      namespace: namespace
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

resource store 'Applications.Core/secretStores@2023-10-01-preview' = {
  name: 'keys'
  location: 'global'
  properties: {
    application: application.id
    type: 'generic'
    data: {
      password: {
        value: password
      }
    }
  }
}

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: front
  location: 'global'
  properties: {
    application: application.id
    container: {
      image: isUpdated ? 'ghcr.io/example/web:2' : 'ghcr.io/example/web:1'
      ports: {
        http: {
          containerPort: 3000
        }
      }
      env: {
        PASSWORD: {
          valueFrom: {
            secretRef: {
              source: store.id
              key: 'password'
            }
          }
        }
      }
      volumes: {
        cache: {
          kind: 'ephemeral'
          mountPath: '/cache'
          managedStore: 'memory'
        }
      }
    }
    connections: stage == 'smaller' || stage == 'renamed'
      ? {}
      : {
          api: {
            source: 'http://api:4000'
          }
        }
  }
}

resource api 'Applications.Core/containers@2023-10-01-preview' = if (stage == 'first' || stage == 'updated') {
  name: 'api'
  location: 'global'
  properties: {
    application: application.id
    container: {
      image: 'ghcr.io/example/api:1'
      ports: {
        http: {
          containerPort: 4000
        }
      }
    }
  }
}

resource gateway 'Applications.Core/gateways@2023-10-01-preview' = {
  name: 'gateway'
  location: 'global'
  properties: {
    application: application.id
    routes: [
      {
        path: '/'
        destination: 'http://${web.name}:3000'
      }
    ]
  }
}
