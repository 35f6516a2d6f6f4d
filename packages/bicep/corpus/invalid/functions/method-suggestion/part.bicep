@secure()
param secret string
output used bool = empty(secret)
