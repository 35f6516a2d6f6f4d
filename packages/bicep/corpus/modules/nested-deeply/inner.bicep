param depth int
output depth int = depth
