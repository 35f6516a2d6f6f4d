extension shop
extension shop as again
resource order 'Shop/order@v1' = {
  name: 'order'
}
