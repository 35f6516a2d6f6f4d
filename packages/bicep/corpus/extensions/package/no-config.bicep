extension shop
