type circle = { kind: 'circle', radius: int }
type square = { kind: 'square', side: int }
param server { host: string, port: int? }
param sizes ('small' | 'large')[]
@discriminator('kind')
param shape circle | square
param nothing string?
output all array = [server, sizes, shape, nothing]
