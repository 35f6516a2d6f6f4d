targetScope = 'managementGroup'
output id string = managementGroup().id
