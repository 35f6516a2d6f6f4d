type circle = { kind: 'circle' }
type plain = { kind: string }
@discriminator('kind')
type a = circle | plain
@discriminator('kind')
type b = circle | 'text'
@discriminator('other')
type c = circle | { kind: 'square' }
@discriminator('kind')
type d = circle | { kind: 'CIRCLE', x: int }
@discriminator('kind')
type e = circle
