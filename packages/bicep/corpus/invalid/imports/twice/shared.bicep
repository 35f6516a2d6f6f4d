@export()
var a = 1
@export()
var c = 2
