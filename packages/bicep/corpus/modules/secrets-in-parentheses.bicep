resource vault 'Microsoft.KeyVault/vaults@2023-07-01' existing = {
  name: 'vault'
  scope: resourceGroup('secrets')
}
param on bool
module m 'secrets-in-parentheses/part.bicep' = {
  name: 'm'
  params: {
    password: on ? vault.getSecret('a') : vault.getSecret('b', 'v1')
    token: vault.getSecret('token')
  }
}
