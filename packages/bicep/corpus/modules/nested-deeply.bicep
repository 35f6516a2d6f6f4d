module outer 'nested-deeply/outer.bicep' = {
  name: 'outer'
  params: { depth: 1 }
}
output depth int = outer.outputs.depth
