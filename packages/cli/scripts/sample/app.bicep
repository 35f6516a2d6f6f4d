// Compiled once when the CLI is bundled, so what most files use is in it.
metadata description = 'An application with a database'

targetScope = 'resourceGroup'

@description('Where everything is created.')
param location string = resourceGroup().location

@allowed([
  'development'
  'production'
])
param stage string = 'development'

@secure()
param password string

@minValue(1)
@maxValue(30)
param replicas int = 2

param tags object = {}

@description('How one service is set up.')
type serviceSettings = {
  @minLength(3)
  name: string
  tier: 'basic' | 'standard' | 'premium'
  hosts: string[]
  limits: {
    cpu: string
    memory: string?
  }
  owner: string?
}

param service serviceSettings = {
  name: 'orders'
  tier: 'basic'
  hosts: [
    'orders.example.com'
    'www.example.com'
  ]
  limits: {
    cpu: '500m'
  }
}

@description('A name that nobody else has.')
func label(name string, index int) string => '${toLower(name)}-${index}-${uniqueString(name)}'

var isProduction = stage == 'production'
var unused = !isProduction || replicas > 2

var settings = [
  {
    name: 'OWNER'
    value: service.?owner ?? 'nobody'
  }
  {
    name: 'MEMORY'
    value: service.limits.?memory ?? '1Gi'
  }
]

var rules = [
  for (host, i) in service.hosts: {
    name: label(host, i)
    priority: 100 + i * 10
    enabled: !empty(host) && i < 20
    pattern: replace(host, '.', '-')
  }
]

var greeting = '''
Hello
'''

resource storage 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: take('st${uniqueString(resourceGroup().id, service.name)}', 24)
  location: location
  kind: 'StorageV2'
  sku: {
    name: isProduction ? 'Standard_GRS' : 'Standard_LRS'
  }
  tags: union(tags, {
    stage: stage
  })
  properties: {
    allowBlobPublicAccess: false
    networkAcls: {
      defaultAction: 'Deny'
      ipRules: [
        for octet in range(0, 4): {
          action: 'Allow'
          value: '10.0.${octet}.0/24'
        }
      ]
    }
  }

  resource blobs 'blobServices' = {
    name: 'default'
  }
}

resource vault 'Microsoft.KeyVault/vaults@2023-07-01' existing = {
  name: 'vault-${stage}'
}

resource site 'Microsoft.Web/sites@2023-12-01' = if (replicas > 0) {
  name: 'site-${service.name}'
  location: location
  identity: {
    type: 'SystemAssigned'
  }
  properties: {
    httpsOnly: true
    siteConfig: {
      alwaysOn: service.tier == 'premium'
      numberOfWorkers: max(replicas, isProduction ? 2 : 1)
      appSettings: concat(settings, [
        {
          name: 'STORAGE_ENDPOINT'
          value: storage.properties.primaryEndpoints.blob
        }
        {
          name: 'RULES'
          value: string(map(rules, rule => rule.name))
        }
        {
          name: 'PASSWORD'
          value: password
        }
        {
          name: 'GREETING'
          value: '${greeting}${join(service.hosts, ',')}'
        }
      ])
    }
  }
  dependsOn: [
    vault
  ]
}

resource hosts 'Microsoft.Web/sites/hostNameBindings@2023-12-01' = [
  for (host, i) in service.hosts: if (isProduction && rules[i].enabled) {
    parent: site
    name: host
    properties: {
      siteName: site.name
      sslState: i == 0 ? 'SniEnabled' : 'Disabled'
    }
  }
]

module network 'network.bicep' = {
  name: 'network'
  params: {
    location: location
    names: [for rule in rules: rule.name]
  }
}

output storageName string = storage.name
output address string = 'https://${site!.properties.defaultHostName}'
output subnets array = network.outputs.subnets
