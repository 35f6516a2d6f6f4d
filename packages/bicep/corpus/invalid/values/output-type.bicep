output a string = 1
output b int = 'x'
output c bool = []
output d array = {}
