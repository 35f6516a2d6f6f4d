module a 'management-group-from-group/mg.bicep' = {
  name: 'a'
  scope: managementGroup('x')
}
