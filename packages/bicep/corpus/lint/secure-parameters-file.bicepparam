using 'secure-parameters-file/main.bicep'
param secret = 'x'
param open = secret
