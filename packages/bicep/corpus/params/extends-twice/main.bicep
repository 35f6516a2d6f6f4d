param name string
param size int
param input string
param copy string
output all array = [name, size, input, copy]
