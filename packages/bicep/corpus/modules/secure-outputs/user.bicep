@secure()
param password string
output used bool = !empty(password)
