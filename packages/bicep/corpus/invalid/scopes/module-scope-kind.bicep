module a 'module-scope-kind/group.bicep' = {
  name: 'a'
  scope: tenant()
}
module b 'module-scope-kind/group.bicep' = {
  name: 'b'
  scope: a
}
