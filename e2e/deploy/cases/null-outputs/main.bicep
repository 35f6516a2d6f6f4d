param missing string?
param present string?

module inner 'inner.bicep' = {
  name: 'inner'
  params: {
    missing: missing
  }
}

output missing string? = missing
output present string? = present
output fromModule string? = inner.outputs.?nothing
output fallback string = inner.outputs.?nothing ?? 'a default'
output counted int = inner.outputs.count
