param regions array
resource plain 'Contoso.Data/caches@2024-03-01' = [for region in regions: {
  name: 'cache-${region}'
  location: region
}]
resource indexed 'Contoso.Data/caches@2024-03-01' = [for (region, i) in regions: {
  name: 'cache-${i}'
  location: region
}]
resource filtered 'Contoso.Data/caches@2024-03-01' = [
  for i in range(0, 5): if (i % 2 == 0) {
    name: 'cache-even-${i}'
  }
]
output first string = plain[0].id
output endpoint string = indexed[length(regions) - 1].properties.endpoint
