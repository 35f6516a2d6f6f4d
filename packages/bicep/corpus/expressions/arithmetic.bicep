param a int
param b int
output sum int = a + b
output difference int = a - b - 1
output product int = a * b
output quotient int = a / b
output remainder int = a % b
output negated int = -a
output precedence int = a + b * 2 - -3
output grouped int = (a + b) * 2
