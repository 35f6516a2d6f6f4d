@secure()
param password string
@secure()
param token string
@secure()
param choice string
output ready bool = !empty(password) && !empty(token) && !empty(choice)
