module a 'circle/other.bicep' = {
  name: 'a'
}
