@patch()
resource cart 'Contoso.Shop/carts@2024-01-01' = {
  name: 'cart'
  tags: { a: 'b' }
}
