extension radius
param location string = 'global'
resource environment 'Applications.Core/environments@2023-10-01-preview' existing = {
  name: 'default'
}
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  location: location
  properties: {
    environment: environment.id
  }
}
resource db 'Applications.Datastores/redisCaches@2023-10-01-preview' = {
  name: 'db'
  properties: {
    application: app.id
    environment: environment.id
  }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: {
      image: 'shop:1'
      ports: { web: { containerPort: 3000 } }
    }
    connections: { db: { source: db.id } }
  }
}
output secrets string = db.listSecrets().password
output host string = web.properties.host
