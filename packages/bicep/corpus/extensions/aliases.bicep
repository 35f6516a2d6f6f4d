extension radius as platform
extension aws
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'demo'
  properties: {}
}
resource bucket 'AWS.S3/Bucket@default' = {
  alias: 'logs'
  properties: {
    BucketName: 'logs-${app.name}'
  }
}
output id string = bucket.properties.Arn
