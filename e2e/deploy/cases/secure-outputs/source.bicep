extension radius

@secure()
param seed string

resource vault 'Radius.Test/vaults@2025-01-01' = {
  name: 'source'
  properties: {
    user: 'reader'
    password: seed
  }
}

@secure()
output connection string = 'user=${vault.properties.user};password=${vault.listSecrets().password}'
@secure()
output all object = vault.listSecrets()
output user string = vault.properties.user
