targetScope = 'tenant'
output a string = resourceGroup().name
output b string = subscription().id
output c string = managementGroup().id
