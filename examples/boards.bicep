extension radius

@description('Where the boards are deployed')
param environment string

@minValue(1)
@maxValue(5)
param count int = 2

type Tone = 'friendly' | 'formal'
param tone Tone = 'friendly'

resource application 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'boards'
  properties: {
    environment: environment
  }
}

resource frontend 'Radius.Compute/containers@2025-08-01-preview' = [
  for index in range(0, count): {
    name: 'board-${index}'
    properties: {
      environment: environment
      application: application.id
      containers: {
        web: {
          image: 'ghcr.io/example/board:1.0'
          env: {
            TONE: { value: tone }
          }
        }
      }
    }
  }
]

output names array = [for index in range(0, count): frontend[index].name]
