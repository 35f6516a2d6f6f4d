using 'key-vault/main.bicep'
param password = getSecret('11111111-1111-1111-1111-111111111111', 'group', 'vault', 'password')
param token = getSecret('11111111-1111-1111-1111-111111111111', 'group', 'vault', 'token', 'v2')
