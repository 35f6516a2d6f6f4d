module a 'bad\tname.bicep' = {}
