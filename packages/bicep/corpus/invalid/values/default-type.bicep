param a string = 1
param b int = true
param c 'x' | 'y' = 'z'
param d string[] = [1]
