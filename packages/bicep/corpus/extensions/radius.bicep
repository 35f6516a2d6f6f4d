extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'demo'
  properties: { environment: environment }
}
resource web 'Radius.Compute/containers@2025-08-01-preview' = [for i in range(0, 2): {
  name: 'web-${i}'
  properties: { application: app.id, environment: environment }
}]
output first string = web[0].id
output all array = map(web, w => w.name)
