using 'missing-and-unknown/main.bicep'
param b = 1
param unknown = 2
