param names array
@batchSize(2)
resource carts 'Contoso.Shop/carts@2024-01-01' = [for name in names: {
  name: name
}]
@batchSize(1)
module shops 'batch-size/shop.bicep' = [for name in names: {
  name: 'shop-${name}'
}]
