param now string = utcNow()
@secure()
param secret string
var suffix_var = uniqueString(now)
resource nested 'Microsoft.Resources/deployments@2024-03-01' = {
  name: 'nested'
  properties: {
    mode: 'Incremental'
    template: {
      contentVersion: '1.0.0.0'
      resources: []
      outputs: { x: { type: 'string', value: secret } }
    }
  }
}
resource cart 'Contoso.Shop/carts@2024-01-01' = {
  name: 'cart-${suffix_var}'
}
@description('Read.')
output read object = reference(cart.id, '2024-01-01')
