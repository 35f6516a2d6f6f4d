output
output a
output b = 5
output c string
