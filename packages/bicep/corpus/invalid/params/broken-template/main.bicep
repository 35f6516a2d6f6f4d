param a int
output b string = a
