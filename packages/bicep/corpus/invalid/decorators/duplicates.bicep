@description('a')
@description('b')
param a string
@secure()
@sys.secure()
param b string
