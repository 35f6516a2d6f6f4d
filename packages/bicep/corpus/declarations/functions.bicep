@description('Puts the parts of a name together.')
func fullName(prefix string, suffix string) string => toLower('${prefix}-${suffix}')

func twice(value int) int => value * 2

func greet(name string) string => 'Hello ${fullName(name, separator)}'

func always() { on: bool } => { on: true }

var separator = 'x'
output name string = fullName('Shop', 'West')
output greeting string = greet('you')
output number int = twice(twice(2))
output state object = always()
