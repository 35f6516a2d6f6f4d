module direct 'ts:11111111-1111-1111-1111-111111111111/specs/network:v1' = {
  name: 'direct'
  params: { prefix: '10.0.0.0/8' }
}
module aliased 'ts/specs:network:v1' = {
  name: 'aliased'
  params: { prefix: '10.0.0.0/8' }
}
