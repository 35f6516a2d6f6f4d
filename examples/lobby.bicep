extension radius

@secure()
param moderatorKey string = newGuid()

resource environment 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'lobby'
  properties: {}
}

resource lobby 'Example.Boards/messageBoards@2025-01-01' = {
  name: 'lobby-from-bicep'
  properties: {
    environment: environment.id
    title: 'Lobby'
    topics: ['lost and found', 'rides']
    moderatorKey: moderatorKey
  }
}

output retentionDays int = lobby.properties.retentionDays
