extension radius
param deploy bool
resource app 'Radius.Core/applications@2025-08-01-preview' = if (deploy) {
  name: 'demo'
  properties: {}
}
resource extra 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'extra'
  properties: { settings: [for i in range(0, 2): { n: i }] }
  dependsOn: [app]
}
output safe string = app.?properties.status ?? 'none'
output whole object = extra
output name string = extra.name
