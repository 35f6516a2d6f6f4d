module parts 'collection-outputs/part.bicep' = [for i in range(0, 3): {
  name: 'part-${i}'
  params: { index: i }
}]
output all array = map(parts, part => part.outputs.text)
output one string = parts[2].outputs.text
