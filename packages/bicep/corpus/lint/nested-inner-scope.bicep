param size int
var text = 'x'
resource nested 'Microsoft.Resources/deployments@2024-03-01' = {
  name: 'nested'
  properties: {
    mode: 'Incremental'
    expressionEvaluationOptions: { scope: 'inner' }
    template: {
      contentVersion: '1.0.0.0'
      resources: []
      outputs: { x: { type: 'string', value: text }, y: { type: 'int', value: size } }
    }
  }
}
