@export()
func decorate(text string) string => '<${text}>'
@export()
func shape(text string) object => { name: decorate(text), list: [text, 1, true], upper: map(['x'], y => '${y}${text}') }
@export()
var squares = [for i in range(0, 3): i * i]
@export()
var limits = { max: length(squares) }
