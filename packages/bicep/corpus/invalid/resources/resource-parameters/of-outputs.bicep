module part 'of-outputs/part.bicep' = {
  name: 'part'
}
module parts 'of-outputs/part.bicep' = [for i in range(0, 2): {
  name: 'part-${i}'
}]

// The identity can be read,
output identity array = [part.outputs.cache.id, part.outputs.cache.name, parts[0].outputs['cache']['type']]
// and what is behind it cannot.
output host string = part.outputs.cache.properties.host
output indexed string = parts[1].outputs.cache['location']
output keys object = part.outputs.cache!.listKeys()
