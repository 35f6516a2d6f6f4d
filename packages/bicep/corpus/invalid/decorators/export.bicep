param p string
@export()
param q string
@export()
var a = p
@export()
func f() string => b
var b = '${resourceGroup().id}${q}'
