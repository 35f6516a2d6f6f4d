module a 'module-scope-missing/subscription.bicep' = {
  name: 'a'
}
