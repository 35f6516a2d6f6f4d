param userPassword string
param SECRETNAME string
param secretVersion string
param clientSecret object
param pwdCount int
param accountKey string
@description('Used.')
output used array = [userPassword, SECRETNAME, secretVersion, clientSecret, pwdCount, accountKey]
