resource vault 'Microsoft.KeyVault/vaults@2023-07-01' existing = {
  name: 'vault'
}
module m 'method-suggestion/part.bicep' = {
  name: 'm'
  params: { secret: vault.getSecre('x') }
}
