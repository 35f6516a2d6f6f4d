module vault 'secure-outputs/vault.bicep' = {
  name: 'vault'
}
module user 'secure-outputs/user.bicep' = {
  name: 'user'
  params: { password: vault.outputs.password }
}
output open string = vault.outputs.open
