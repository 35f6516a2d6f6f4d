/** The platform engineer's part of the demo. */
export const manifestText = `namespace: Radius.Demo
types:
  queues:
    description: A message queue
    defaultApiVersion: "2025-01-01-preview"
    apiVersions:
      "2025-01-01-preview":
        schema:
          type: object
          properties:
            depth:
              type: integer
              description: How many messages it holds at most
            accessKey:
              type: string
              x-radius-sensitive: true
              description: Sealed at rest and never shown again
          required: [depth]
`;

/** The developer's part: a container with a volume, what it is connected to, a gateway in front, a condition and a secret. */
export const applicationText = `extension radius

param image string = 'ghcr.io/radius-project/samples/demo:latest'
param withWorker bool = false

@secure()
param accessKey string

resource environment 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'demo'
  properties: {
    compute: {
      kind: 'kubernetes'
      namespace: 'radius-demo'
    }
  }
}

resource shop 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: {
    environment: environment.id
  }
}

resource orders 'Radius.Demo/queues@2025-01-01-preview' = {
  name: 'orders'
  properties: {
    environment: environment.id
    application: shop.id
    depth: 100
    accessKey: accessKey
  }
}

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: shop.id
    container: {
      image: image
      ports: {
        http: {
          containerPort: 3000
        }
      }
      volumes: {
        scratch: {
          kind: 'ephemeral'
          managedStore: 'disk'
          mountPath: '/scratch'
        }
      }
    }
    connections: {
      orders: {
        source: orders.id
      }
    }
  }
}

resource edge 'Applications.Core/gateways@2023-10-01-preview' = {
  name: 'edge'
  properties: {
    application: shop.id
    routes: [
      {
        path: '/'
        destination: 'http://\${web.name}:3000'
      }
    ]
  }
}

resource worker 'Applications.Core/containers@2023-10-01-preview' = if (withWorker) {
  name: 'worker'
  properties: {
    application: shop.id
    container: {
      image: image
    }
    connections: {
      orders: {
        source: orders.id
      }
    }
  }
}
`;
