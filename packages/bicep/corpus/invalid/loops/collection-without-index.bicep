resource a 'Contoso.Data/caches@2024-03-01' = [for i in range(0, 2): {
  name: 'a-${i}'
}]
resource b 'Contoso.Data/caches@2024-03-01' = {
  name: 'b'
  tags: { all: string(a) }
}
resource c 'Contoso.Data/caches@2024-03-01' = [for i in range(0, 2): {
  name: 'c-${i}'
  properties: { all: a }
}]
