module
module a
module 5 'x.bicep' = {}
module b 'module-slots/b.bicep'
