using 'wrong-types/main.bicep'
param text = 1
param number = 11
param server = { hosts: 'x' }
param size = 'medium'
