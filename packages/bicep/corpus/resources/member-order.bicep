resource app 'Contoso.Web/sites@2024-03-01' = if (true) {
  properties: { on: true }
  dependsOn: [plan]
  kind: 'web'
  name: 'app'
  location: 'west'
}
resource plan 'Contoso.Web/plans@2024-03-01' = {
  location: 'west'
  name: 'plan'
}
