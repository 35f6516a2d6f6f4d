param pair [string, int]
output a [string, string] = pair
output b [string] = pair
output c string[] = pair
output d [int, int, int] = [1, 2]
