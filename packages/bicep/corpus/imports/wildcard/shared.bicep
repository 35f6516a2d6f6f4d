@export()
type tier = 'small' | 'large'
@export()
func double(value int) int => value * 2
@export()
var start = 4
@export()
var unused = 'not needed'
