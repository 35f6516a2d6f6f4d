@export()
var value = 2
@export()
func name(n string) string => 'b-${n}'
