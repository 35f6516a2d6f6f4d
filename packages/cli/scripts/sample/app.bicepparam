using 'app.bicep'

var hosts = ['orders', 'www']

param stage = 'production'
param password = readEnvironmentVariable('SAMPLE_PASSWORD', 'none')
param tags = {
  team: toUpper('orders')
}
param service = {
  name: 'orders'
  tier: 'standard'
  hosts: map(hosts, host => '${host}.example.com')
  limits: {
    cpu: '1'
  }
}
