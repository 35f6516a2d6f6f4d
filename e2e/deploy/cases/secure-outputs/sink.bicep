extension radius

@secure()
param connection string
param user string

resource vault 'Radius.Test/vaults@2025-01-01' = {
  name: 'sink'
  properties: {
    user: user
    password: connection
  }
}

output user string = vault.properties.user
