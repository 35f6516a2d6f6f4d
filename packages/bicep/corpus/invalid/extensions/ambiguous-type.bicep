extension radius as first
extension radius as second
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'app'
  properties: {}
}
resource sure 'second:Radius.Core/applications@2025-08-01-preview' = {
  name: 'sure'
  properties: {}
}
