targetScope = 'resourceGroup'
targetScope = 'tenant'
