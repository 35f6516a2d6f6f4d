type circle = { kind: 'circle', radius: int }
type square = { kind: 'square', side: int }
@discriminator('kind')
type shape = circle | square
param a shape = { radius: 1 }
param b shape = { kind: 'triangle' }
param c shape = { kind: 'circle' }
param d shape = { kind: 'square', side: 'x' }
