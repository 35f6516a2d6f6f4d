extension radius
@description('Where it runs.')
param environment string
@allowed(['redis', 'none'])
param cache string = 'redis'
@secure()
param password string
param replicas { web: int, worker: int? } = { web: 2 }

type port = { name: string, number: int }
var ports port[] = [
  { name: 'http', number: 80 }
  { name: 'https', number: 443 }
]

resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: environment }
}
resource redis 'Applications.Datastores/redisCaches@2023-10-01-preview' = if (cache == 'redis') {
  name: 'redis'
  properties: { application: app.id, environment: environment }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: {
      image: 'shop/web:1'
      env: { PASSWORD: { value: password }, CACHE: { value: cache == 'redis' ? redis.?properties.host : '' } }
      ports: toObject(ports, p => p.name, p => { containerPort: p.number })
    }
    extensions: [{ kind: 'manualScaling', replicas: replicas.web }]
  }
}
output worker int = replicas.?worker ?? 1
