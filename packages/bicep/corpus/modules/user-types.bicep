module m 'user-types/typed.bicep' = {
  name: 'm'
  params: {
    server: { host: 'h' }
    pair: ['a', 1]
    size: 'small'
    shape: { kind: 'circle', radius: 1 }
  }
}
output host string = m.outputs.server.host
