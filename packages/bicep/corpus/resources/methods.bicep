resource store 'Contoso.Data/stores@2024-03-01' = {
  name: 'store'
}
resource vault 'Microsoft.KeyVault/vaults@2023-07-01' existing = {
  name: 'vault'
}
output key string = store.listKeys().keys[0].value
output other string = store.listTokens('2023-01-01').token
output body string = store.listTokens('2023-01-01', { kind: 'read' }).token
module app 'methods/app.bicep' = {
  name: 'app'
  params: {
    password: vault.getSecret('password')
    token: vault.getSecret('token', 'v1')
    choice: empty(store.name) ? vault.getSecret('a') : 'fixed'
  }
}
