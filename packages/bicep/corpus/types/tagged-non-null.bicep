type circle = { kind: 'circle', radius: int }
type square = { kind: 'square', side: int }
@discriminator('kind')
type maybe = (circle | square)?
@discriminator('kind')
type sure = ((circle | square)?)!
param one sure
param two maybe
output all array = [one, two]
