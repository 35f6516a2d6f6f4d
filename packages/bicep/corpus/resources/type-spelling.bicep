resource cache 'contoso.DATA/Caches@2024-03-01-preview' = {
  name: 'cache'
}
output type string = cache.type
