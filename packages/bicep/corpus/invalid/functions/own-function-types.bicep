func a(x missing) string => x
func b(x int) string => x
func c(x int) missing => x
var d = b('text')
