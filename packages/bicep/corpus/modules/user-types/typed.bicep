type circle = { kind: 'circle', radius: int }
type square = { kind: 'square', side: int }
param server { host: string, port: int? }
param pair [string, int]
param size 'small' | 'large'
@discriminator('kind')
param shape circle | square
output server { host: string, port: int? } = server
output all array = [pair, size, shape]
