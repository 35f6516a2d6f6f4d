param value int
output value int = value
