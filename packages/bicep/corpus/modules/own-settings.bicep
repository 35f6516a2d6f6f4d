module symbolic 'own-settings/symbolic.bicep' = {
  name: 'symbolic'
  params: { choice: 'small' }
}
module classic 'own-settings/classic.bicep' = {
  name: 'classic'
}
output size string = symbolic.outputs.size
