@export()
var value = 1
@export()
func name(n string) string => 'a-${n}'
