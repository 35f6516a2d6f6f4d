param name string
param sizes array
param sum int
param copyOfName string
param picked int
output all array = [name, sizes, sum, copyOfName, picked]
