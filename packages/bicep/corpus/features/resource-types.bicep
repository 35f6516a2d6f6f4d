param cache resource 'Contoso.Data/caches@2024-03-01'
output cache resource 'Contoso.Data/caches@2024-03-01' = cache
output name string = cache.name
output host string = cache.properties.host

// However the parameter is written, it is read in the same way.
var late = cache['properties'].host
var early = (cache)['name']
output late string = late
output early string = early
output asserted string = cache!.name
output inParentheses object = (cache).properties
output byIndex object = cache!['properties']
output keys object = cache.listKeys()
output keysOfVersion object = cache!.listKeys('2024-01-01', {})
