extension radius

@secure()
param password string

resource vault 'Radius.Test/vaults@2025-01-01' = {
  name: 'vault'
  properties: {
    user: 'admin'
    password: password
    entries: {
      first: {
        value: '${password}-first'
      }
    }
  }
}

output shown string = vault.properties.?password ?? 'hidden'
