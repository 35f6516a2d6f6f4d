param names array
module first 'without-name/empty.bicep' = {}
module each 'without-name/empty.bicep' = [for name in names: {}]
module aVeryLongSymbolicNameThatGoesOnAndOnUntilItIsTooLongForADeployment 'without-name/empty.bicep' = {}
output done bool = first.outputs.done
