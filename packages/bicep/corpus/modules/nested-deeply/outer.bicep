param depth int
module inner 'inner.bicep' = {
  name: 'inner'
  params: { depth: depth + 1 }
}
output depth int = inner.outputs.depth
