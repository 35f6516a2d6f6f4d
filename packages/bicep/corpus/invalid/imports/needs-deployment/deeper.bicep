@export()
var far = environment().name

@export()
func ask(text string) string => '${text}${deployment().name}'
