module direct 'br:registry.example.org/modules/network:v1' = {
  name: 'direct'
  params: { prefix: '10.0.0.0/8' }
}
module aliased 'br/own:network:v1' = {
  name: 'aliased'
  params: { prefix: direct.outputs.prefix }
}
