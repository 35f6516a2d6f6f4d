@export()
var a = 1
@export()
var b = 2
