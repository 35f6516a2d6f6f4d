@export()
var medium = 5

@export()
func double(size int) int => size * 2
