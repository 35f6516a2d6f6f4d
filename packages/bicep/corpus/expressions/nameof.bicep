param settings object
resource cache 'Contoso.Data/caches@2024-03-01' = {
  name: 'cache'
}
output names array = [
  nameof(settings)
  nameof(settings.server.port)
  nameof(cache)
  nameof(cache.properties.size)
  nameof(settings['x'])
]
