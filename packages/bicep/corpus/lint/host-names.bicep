var a = 'https://schema.management.azure.com/x'
var b = 'x-management.azure.com'
var c = 'xmanagement.azure.com'
var d = 'https://login.microsoftonline.com/${a}/core.windows.net'
@description('See https://management.azure.com')
output all array = [a, b, c, d]
