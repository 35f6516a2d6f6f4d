param product string = 'atlas'

module platform 'platform.bicep' = {
  name: 'platform'
  params: {
    product: product
  }
}

output endpoints array = platform.outputs.endpoints
output summary string = '${product}: ${join(platform.outputs.endpoints, ', ')}'
