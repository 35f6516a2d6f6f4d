extension shop with { region: 1 }
resource cart 'Shop/cart@v1' = {
  name: 'first'
  total: 1
  colour: 'red'
  items: [1]
}
resource nameless 'Shop/cart@v1' = {
  size: -1
}
resource unknown 'Shop/basket@v1' = {
  name: 'x'
}
