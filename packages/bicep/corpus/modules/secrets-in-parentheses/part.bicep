@secure()
param password string
@secure()
param token string
output used bool = empty(password) || empty(token)
