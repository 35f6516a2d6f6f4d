param x int
output y string = x
