#disable-next-line
param a string
var b = 1 #disable-next-line BCP001
