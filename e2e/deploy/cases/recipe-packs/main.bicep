extension radius

resource pack 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: 'data-pack'
  location: 'global'
  properties: {
    recipes: {
      'Radius.Data/redisCaches': {
        kind: 'bicep'
        source: 'registry.example.com/recipes/redis:1.0'
        parameters: {
          memory: '256Mi'
        }
      }
    }
  }
}

resource environment 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'packed'
  location: 'global'
  properties: {
    recipePacks: [
      pack.id
    ]
  }
}

output packs array = environment.properties.recipePacks
