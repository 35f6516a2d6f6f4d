using
foo bar
param a
param b string = 1
resource c 'x' = {}
