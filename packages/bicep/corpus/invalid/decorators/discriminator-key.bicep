type circle = { kind: 'circle', shape: 'round' }
type square = { kind: 'square', shape: 'edgy' }
@discriminator('kind')
type either = circle | square
@discriminator('shape')
type again = either
@discriminator('kind')
param a either
