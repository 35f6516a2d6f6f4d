extension shop
resource cart 'Shop/cart@v1' = {
  name: 'first'
  size: 1
}
output total int = cart.total
