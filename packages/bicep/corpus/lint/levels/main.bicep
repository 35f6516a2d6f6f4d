param unused string
var alsoUnused = 1
var hosts = ['https://example.org', 'https://management.azure.com', 'https://notexample.org']
output hosts array = hosts
