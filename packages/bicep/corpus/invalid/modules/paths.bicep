param p string
module a '' = {}
module b '/absolute.bicep' = {}
module c 'back\\slash.bicep' = {}
module d 'x${p}.bicep' = {}
module e 'missing.bicep' = {}
module f 'bad*.bicep' = {}
module g 'ends-with-dot.' = {}
