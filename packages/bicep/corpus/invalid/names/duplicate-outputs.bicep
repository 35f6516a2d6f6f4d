output a string = 'x'
output a int = 1
metadata m = 1
metadata m = 2
