type point = { x: int, y: int }
func move(start point, by int) point => { x: start.x + by, y: start.y + by }
func pick(list string[], at int?) string => list[at ?? 0]
func kind(size 'small' | 'large') string => size
output moved point = move({ x: 1, y: 2 }, 3)
output picked string = pick(['a'], null)
output kind string = kind('small')
