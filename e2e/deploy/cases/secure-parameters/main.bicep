extension radius

@secure()
param password string

@secure()
param keys object

resource vault 'Radius.Test/vaults@2025-01-01' = {
  name: 'vault'
  properties: {
    user: 'admin'
    password: password
  }
}

module worker 'worker.bicep' = {
  name: 'worker'
  params: {
    password: password
    key: keys.signing
  }
}

output user string = vault.properties.user
output worker string = worker.outputs.user
