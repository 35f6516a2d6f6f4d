param key string
resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
  properties: {
    outer: [for i in range(0, 2): {
      inner: [for j in range(0, 2): j]
    }]
    '${key}': [for i in range(0, 2): i]
  }
}
