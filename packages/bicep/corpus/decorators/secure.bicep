@secure()
param password string
@secure()
param settings object
@secure()
type token = string
param given token
@secure()
output echo string = password
output used bool = empty(settings) || empty(given)
