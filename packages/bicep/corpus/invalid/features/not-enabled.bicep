test a 'not-enabled/x.bicep' = {}
assert b = true
