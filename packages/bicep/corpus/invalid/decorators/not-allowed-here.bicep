@description('x')
targetScope = 'resourceGroup'
