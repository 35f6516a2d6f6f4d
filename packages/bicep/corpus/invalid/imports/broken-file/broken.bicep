@export()
var a = missing
