module a 'self.bicep' = {
  name: 'a'
}
