param text string
param number int
param flag bool
param list array
param map object
param optional string = 'default'
output all array = [text, number, flag, list, map, optional]
