@secure()
param seed string = newGuid()
@secure()
output password string = seed
output open string = 'x'
