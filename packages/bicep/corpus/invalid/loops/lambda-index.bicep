resource a 'Contoso.Data/caches@2024-03-01' = [for i in range(0, 2): {
  name: 'a-${i}'
}]
output b array = map(range(0, 2), i => a[i].properties.host)
output c array = map(range(0, 2), i => listKeys('x${i}', '2024-03-01'))
output d string = a[?0].name
