type circle = { kind: 'circle', radius: int }
type square = { kind: 'square', side: int }
@discriminator('kind')
type shape = circle | square | { kind: 'point' }
@discriminator('kind')
type moreShapes = shape | { kind: 'line', length: int }
param one shape
param more moreShapes
output kind string = one.kind
output more object = more
