module a 'broken-file/broken.bicep' = {
  name: 'a'
  params: { x: 1 }
}
