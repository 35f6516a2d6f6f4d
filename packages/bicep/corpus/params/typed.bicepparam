using 'typed/main.bicep'
param server = { host: 'h', port: 80 }
param sizes = ['small', 'large']
param shape = { kind: 'circle', radius: 2 }
param nothing = null
