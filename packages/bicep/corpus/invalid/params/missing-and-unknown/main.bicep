param a string
param b int
param c object
output all array = [a, b, c]
