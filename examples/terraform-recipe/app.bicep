extension radius

@description('Set by rad deploy')
param environment string

@secure()
param password string

resource orders 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'orders'
  properties: {
    environment: environment
  }
}

resource database 'Radius.Data/postgreSqlDatabases@2025-08-01-preview' = {
  name: 'orders'
  properties: {
    environment: environment
    application: orders.id
    username: 'orders'
    password: password
  }
}

output host string = database.properties.host
