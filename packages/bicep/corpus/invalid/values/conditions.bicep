var a = 1 ? 'x' : 'y'
resource b 'Contoso.Data/caches@2024-03-01' = if ('yes') {
  name: 'b'
}
