param config object
param server { host: string?, port: int }
param odd any
@description('Old way.')
output a string = contains(config, 'x') ? config.x : 'none'
@description('Nullable.')
output b string = server.host ?? 'none'
@description('Null.')
output c bool = json('null') == odd
@metadata({ description: 'one' })
@description('two')
param twice string = string(server.port)
@description('Twice.')
output d string = twice
