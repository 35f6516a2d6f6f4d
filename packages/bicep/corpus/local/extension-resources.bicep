targetScope = 'local'
extension radius
param environment string
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: environment }
}
output id string = app.id
