using 'broken-template/main.bicep'
param a = 1
