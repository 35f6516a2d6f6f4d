@export()
type address = { city: string }
@export()
func join2(a string, b string) string => '${a} ${b}'
