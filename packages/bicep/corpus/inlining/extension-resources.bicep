extension radius
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'demo'
  properties: {}
}
var name = app.name
var status = app.properties.status
output all array = [name, status]
