/**
 * A Bicep file of about `lines` lines, to the nearest declaration. Every size has the same mixture of constructs, so
 * cost per line can be compared, and up to 50,000 lines no count passes the linter's maxima: 256 parameters, 512
 * variables, 800 resources, 64 outputs.
 */
export function generateBicep(lines: number): string {
  const text: string[] = header.split("\n");
  for (let index = 0; text.length < lines; index += 1) {
    for (const declaration of declarations(index)) {
      if (text.length < lines) {
        text.push(...declaration.split("\n"), "");
      }
    }
  }
  return text.join("\n");
}

const servicesPerOutput = 4;

/** In an order in which none needs a later one, so the file can end after any of them. */
function declarations(index: number): readonly string[] {
  const all = service(index).trimEnd().split("\n\n");
  return index % servicesPerOutput === 0 ? [...all, output(index)] : all;
}

const header = `metadata description = 'A generated file'

@description('Where everything is created.')
param location string = resourceGroup().location

@allowed([
  'development'
  'production'
])
param stage string = 'development'

param tags object = {}
`;

/** One type, one function, one parameter, two variables and three resources that refer to each other. */
function service(index: number): string {
  const n = String(index);
  return `// Service ${n}: an application with its storage and its addresses.
@description('Size and shape of service ${n}.')
type settings${n} = {
  @minLength(3)
  @maxLength(40)
  name: string
  @description('How much it may cost.')
  tier: 'basic' | 'standard' | 'premium'
  @minValue(1)
  @maxValue(30)
  replicas: int
  hosts: string[]
  limits: {
    cpu: string
    memory: string
  }
  owner: string?
}

@description('A name that is unique among all services.')
func label${n}(name string, index int) string => '\${toLower(name)}-\${index}-\${uniqueString(name)}'

@description('What service ${n} is given.')
param service${n} settings${n} = {
  name: 'orders-${n}'
  tier: 'basic'
  replicas: 2
  hosts: [
    'orders-${n}.example.com'
    'www.orders-${n}.example.com'
  ]
  limits: {
    cpu: '500m'
    memory: '1Gi'
  }
}

var variables${n} = [
  {
    name: 'SERVICE_NAME'
    value: service${n}.name
  }
  {
    name: 'SERVICE_STAGE'
    value: stage == 'production' ? 'live' : 'test'
  }
  {
    name: 'SERVICE_OWNER'
    value: service${n}.?owner ?? 'nobody'
  }
  {
    name: 'SERVICE_LIMITS'
    value: '\${service${n}.limits.cpu}/\${service${n}.limits.memory}'
  }
]

var rules${n} = [
  for (host, i) in service${n}.hosts: {
    name: label${n}(host, i)
    priority: 100 + i * 10
    enabled: !empty(host) && i < 20
    pattern: replace(host, '.', '-')
  }
]

resource storage${n} 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: take('st${n}\${uniqueString(resourceGroup().id, service${n}.name)}', 24)
  location: location
  kind: 'StorageV2'
  sku: {
    name: stage == 'production' ? 'Standard_GRS' : 'Standard_LRS'
  }
  tags: union(tags, {
    service: service${n}.name
    stage: stage
  })
  properties: {
    accessTier: 'Hot'
    allowBlobPublicAccess: false
    minimumTlsVersion: 'TLS1_2'
    supportsHttpsTrafficOnly: true
    networkAcls: {
      bypass: 'AzureServices'
      defaultAction: 'Deny'
      ipRules: [
        for octet in range(0, 4): {
          action: 'Allow'
          value: '10.0.\${octet}.0/24'
        }
      ]
    }
    encryption: {
      keySource: 'Microsoft.Storage'
      services: {
        blob: {
          enabled: true
        }
        file: {
          enabled: service${n}.tier != 'basic'
        }
      }
    }
  }
}

resource site${n} 'Microsoft.Web/sites@2023-12-01' = {
  name: 'site-\${service${n}.name}-\${uniqueString(storage${n}.id)}'
  location: location
  kind: 'app,linux'
  identity: {
    type: 'SystemAssigned'
  }
  tags: union(tags, {
    service: service${n}.name
    stage: stage
  })
  properties: {
    httpsOnly: true
    reserved: true
    clientAffinityEnabled: false
    siteConfig: {
      alwaysOn: service${n}.tier == 'premium'
      ftpsState: 'Disabled'
      http20Enabled: true
      linuxFxVersion: 'NODE|24-lts'
      minTlsVersion: '1.2'
      numberOfWorkers: max(service${n}.replicas, stage == 'production' ? 2 : 1)
      appSettings: concat(variables${n}, [
        {
          name: 'STORAGE_ACCOUNT'
          value: storage${n}.name
        }
        {
          name: 'STORAGE_ENDPOINT'
          value: storage${n}.properties.primaryEndpoints.blob
        }
        {
          name: 'SERVICE_HOSTS'
          value: join(service${n}.hosts, ',')
        }
        {
          name: 'SERVICE_RULES'
          value: string(map(rules${n}, rule => rule.name))
        }
      ])
      cors: {
        allowedOrigins: [
          for host in service${n}.hosts: 'https://\${host}'
        ]
        supportCredentials: false
      }
      /* Rules come in the order of the hosts,
         with room between them for others. */
      ipSecurityRestrictions: [
        {
          name: 'inside'
          action: 'Allow'
          ipAddress: '10.0.0.0/16'
          priority: 10
        }
        {
          name: 'rest'
          action: 'Deny'
          ipAddress: 'Any'
          priority: 2147483647
        }
      ]
      healthCheckPath: '/healthz'
      httpLoggingEnabled: true
      loadBalancing: 'LeastRequests'
      requestTracingEnabled: false
      scmMinTlsVersion: '1.2'
      use32BitWorkerProcess: false
      webSocketsEnabled: service${n}.tier != 'basic'
      detailedErrorLoggingEnabled: stage != 'production'
      virtualApplications: [
        {
          virtualPath: '/'
          physicalPath: 'site/wwwroot'
          preloadEnabled: service${n}.replicas > 1
        }
      ]
    }
  }
}

resource hosts${n} 'Microsoft.Web/sites/hostNameBindings@2023-12-01' = [
  for (host, i) in service${n}.hosts: if (stage == 'production' && rules${n}[i].enabled) {
    parent: site${n}
    name: host
    properties: {
      siteName: site${n}.name
      hostNameType: 'Verified'
      customHostNameDnsRecordType: 'CName' // records for the bare domain are made by hand
      sslState: i == 0 ? 'SniEnabled' : 'Disabled'
    }
  }
]
`;
}

function output(index: number): string {
  const n = String(index);
  return `@description('Where service ${n} answers.')
output address${n} string = 'https://\${site${n}.properties.defaultHostName}'`;
}
