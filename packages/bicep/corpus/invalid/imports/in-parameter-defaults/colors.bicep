@export()
var palette = ['red', 'blue']

@export()
type tone = 'light' | 'dark'

@export()
func shout(text string) string => toUpper(text)
