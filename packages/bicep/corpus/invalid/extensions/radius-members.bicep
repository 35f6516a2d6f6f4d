extension radius
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  properties: {}
}
resource other 'Radius.Core/applications@2025-08-01-preview' existing = {
  name: 'other'
  properties: {}
}
resource loop 'Radius.Core/applications@2025-08-01-preview' = [for i in range(0, 2): {
  name: 'same'
  properties: {}
}]
resource conditional 'Radius.Core/applications@2025-08-01-preview' = if (app.id == 'x') {
  name: 'conditional'
  properties: {}
}
