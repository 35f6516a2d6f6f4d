param
param a
param b = 1
param c int 5
param 1d string
