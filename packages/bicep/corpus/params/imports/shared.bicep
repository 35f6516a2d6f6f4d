@export()
var regions = ['west', 'east']
@export()
var suffix = 'x'
@export()
func nameFor(base string, end string) string => '${base}-${end}'
