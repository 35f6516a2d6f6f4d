@export()
@description('A size.')
type tier = 'small' | 'large'
@export()
@description('Twice as much.')
func double(value int) int => value * 2
@export()
var regions = ['west', 'east']
