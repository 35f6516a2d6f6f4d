module b '../circle.bicep' = {
  name: 'b'
}
