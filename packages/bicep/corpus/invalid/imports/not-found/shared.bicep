@export()
var a = 1
var hidden = 2
