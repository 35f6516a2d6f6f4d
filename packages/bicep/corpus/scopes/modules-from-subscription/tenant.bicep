targetScope = 'tenant'
output id string = tenant().tenantId
