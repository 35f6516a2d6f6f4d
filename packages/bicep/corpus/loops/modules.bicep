param regions array
module shops 'modules/shop.bicep' = [for (region, i) in regions: if (region != 'north') {
  name: 'shop-${i}'
  params: {
    region: region
    names: [for n in range(0, i): 'n${n}']
  }
}]
output first string = shops[0]!.outputs.region
output names array = [for (region, i) in regions: shops[i].name]
