extension shop with { region: 'west' }
resource cart 'Shop/cart@v1' = {
  name: 'first'
  size: 3
  items: ['a']
}
resource old 'Shop/cart@v1' existing = {
  name: 'old'
}
output total int = cart.total
output oldTotal int = old.total
