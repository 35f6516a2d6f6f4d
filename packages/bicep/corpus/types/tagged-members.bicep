type circle = { kind: 'circle', radius: int }
type square = { kind: 'square', side: int }
type drawing = {
  @discriminator('kind')
  @description('The outline.')
  outline: circle | square
  @discriminator('kind')
  hole: (circle | square)?
}
type pair = [
  @discriminator('kind')
  circle | square
  int
]
param drawing1 drawing
param pair1 pair
output all array = [drawing1, pair1]
