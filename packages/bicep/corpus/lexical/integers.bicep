var zero = 0
var small = -5
var large = 9223372036854775807
var smallest = -9223372036854775808
var beyondInt32 = 2147483648
output sum int = large - 1
output inCall int = max(2147483648, 1)
output negative int = min(-2147483648, small)
