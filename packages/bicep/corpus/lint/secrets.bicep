@secure()
param password string = 'changeme'
@secure()
param token string = newGuid()
@secure()
param empty string = ''
param adminPassword string
@description('Leaks.')
output leaked string = password
@description('Also leaks.')
output dbPassword string = 'x'
@description('Fine.')
output fine string = '${length(token)}${length(empty)}${length(adminPassword)}'
resource store 'Contoso.Data/stores@2024-03-01' existing = {
  name: 'store'
}
@description('Keys.')
output keys object = store.listKeys()
