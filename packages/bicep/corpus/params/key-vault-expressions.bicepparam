using 'key-vault-expressions/main.bicep'
var group = 'group'
param password = getSecret('11111111-1111-1111-1111-111111111111', group, 'vault-${group}', 'password')
param token = getSecret(externalInput('sys.cli', 'sub'), group, 'vault', 'token')
