type circle = { kind: 'circle', radius: int }
type square = { kind: 'square', side: int }
@discriminator('kind')
type shape = circle | square
param kind 'circle' | 'square'
param text string
output a shape = { kind: kind, radius: 1 }
output b shape = { kind: text, radius: 1 }
output c shape = { kin: 'circle', radius: 1 }
