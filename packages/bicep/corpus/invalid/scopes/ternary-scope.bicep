param far bool
module a 'ternary-scope/group.bicep' = {
  name: 'a'
  scope: far ? resourceGroup('other') : resourceGroup()
}
