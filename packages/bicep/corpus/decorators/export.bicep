@export()
@description('A size.')
type size = 'small' | 'large'
@export()
func double(n int) int => n * 2
@export()
@description('The regions.')
var regions = ['west', 'east']
@export()
var typed int = 3
