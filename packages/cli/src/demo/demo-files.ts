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

/** The developer's part: a user-defined type, a loop over a module, a condition, a secret and an output. */
export const applicationText = `extension radius

@description('What the application needs a queue for')
type Purpose = {
  name: string

  @minValue(1)
  depth: int
}

param purposes Purpose[] = [
  { name: 'orders', depth: 100 }
  { name: 'mails', depth: 20 }
]
param audited bool = false

@secure()
param accessKey string

resource environment 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'demo'
  location: 'global'
  properties: {}
}

module queue 'queue.bicep' = [
  for purpose in purposes: {
    name: 'queue-\${purpose.name}'
    params: {
      name: purpose.name
      depth: purpose.depth
      accessKey: accessKey
      environment: environment.id
    }
  }
]

resource audit 'Radius.Demo/queues@2025-01-01-preview' = if (audited) {
  name: 'audit'
  properties: {
    depth: 1000
    environment: environment.id
  }
}

output queues array = [for (purpose, index) in purposes: queue[index].outputs.id]
`;

export const moduleText = `extension radius

param name string
param depth int
param environment string

@secure()
param accessKey string

resource queue 'Radius.Demo/queues@2025-01-01-preview' = {
  name: name
  properties: {
    depth: depth
    environment: environment
    accessKey: accessKey
  }
}

output id string = queue.id
`;
