var a = 1
@description('Nothing follows.')
