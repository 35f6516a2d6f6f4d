using none
param a = 1
