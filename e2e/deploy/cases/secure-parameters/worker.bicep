extension radius

@secure()
param password string

@secure()
param key string

resource vault 'Radius.Test/vaults@2025-01-01' = {
  name: 'worker-vault'
  properties: {
    user: 'worker'
    password: '${password}/${key}'
  }
}

output user string = vault.properties.user
