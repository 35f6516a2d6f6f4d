@waitUntil(cart => cart.properties.ready == true, 'PT20S')
resource cart 'Contoso.Shop/carts@2024-01-01' = {
  name: 'cart'
}
