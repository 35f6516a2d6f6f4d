@nullIfNotFound()
resource maybe 'Contoso.Shop/carts@2024-01-01' existing = {
  name: 'maybe'
}
output size int = maybe.?properties.size ?? 0
