type circle = { kind: 'circle', radius: int }
type square = { kind: 'square', side: int }
@discriminator('kind')
type shape = (circle | square)
@discriminator('kind')
type maybe = (circle | square)?
@discriminator('kind')
type grouped = circle | (square | { kind: 'point' })
type wrapped = { item: ({ value: ({ deep: string })? }) }
type value = wrapped.item.value
type tuples = ['a', 1] | ['b', 2]
type text = ('x')
param all { shape: shape, maybe: maybe, grouped: grouped, value: value, tuples: tuples, text: text }
output all object = all
