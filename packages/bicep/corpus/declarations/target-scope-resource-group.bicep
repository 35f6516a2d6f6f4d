targetScope = 'resourceGroup'
output name string = resourceGroup().name
