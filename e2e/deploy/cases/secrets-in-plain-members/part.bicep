extension radius

param text string
param settings object

resource part 'Radius.Test/containers@2025-01-01' = {
  name: 'part'
  properties: {
    env: {
      TEXT: {
        value: text
      }
    }
    settings: settings
  }
}
