type text = string
type number = int
type flag = bool
type list = array
type map = object
type qualified = sys.string
type anything = any
param value text
output value text = value
