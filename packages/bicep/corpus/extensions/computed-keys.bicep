extension radius
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'demo'
  properties: {}
}
resource other 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'other'
  properties: { '${app.name}': 1 }
}
