param o object
var a = nameof('x')
var b = nameof(1 + 1)
var c = nameof(toLower('x'))
