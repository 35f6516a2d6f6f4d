func b() => 5
func a() string =>
var d = 1
func c(x) string => 'x'
func 5() string => 'x'
