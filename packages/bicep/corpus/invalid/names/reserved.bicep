var copy = 1
type resource = string
metadata _generator = 'x'
var sys = 2
param az string
