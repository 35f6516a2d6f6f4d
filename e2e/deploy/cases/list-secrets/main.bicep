extension radius

@secure()
param password string

resource database 'Radius.Test/vaults@2025-01-01' = {
  name: 'database'
  properties: {
    user: 'app'
    password: password
  }
}

resource mirror 'Radius.Test/vaults@2025-01-01' = {
  name: 'mirror'
  properties: {
    user: database.properties.user
    password: database.listSecrets().password
  }
}

resource reader 'Radius.Test/vaults@2025-01-01' = {
  name: 'reader'
  properties: {
    user: 'reader'
    password: mirror.listSecrets().connectionString
  }
}
