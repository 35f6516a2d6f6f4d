resource cart 'Contoso.Shop/carts@2024-01-01' = {
  name: 'cart'
  properties: {
    first: !this.exists()
    size: this.existingResource().?properties.size ?? 1
  }
}
