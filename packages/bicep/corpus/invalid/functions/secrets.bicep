resource vault 'Microsoft.KeyVault/vaults@2023-07-01' existing = {
  name: 'vault'
}
output a string = vault.getSecret('x')
module m 'secrets/part.bicep' = {
  name: 'm'
  params: {
    open: vault.getSecret('x')
    closed: '${vault.getSecret('x')}'
  }
}
