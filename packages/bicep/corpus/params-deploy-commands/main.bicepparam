using 'main/template.bicep' with {
  mode: 'deployment'
  scope: '/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/group'
}
param first = readCliArg('first')
param second = readEnvVar('SECOND')
