@secure()
output password string = newPassword
@secure()
param newPassword string = newGuid()
