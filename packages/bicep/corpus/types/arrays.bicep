type names = string[]
type grid = int[][]
type sizes = ('small' | 'large')[]
type points = { x: int }[]
type maybe = string[]?
type holes = (string?)[]
param given names
output given names = given
