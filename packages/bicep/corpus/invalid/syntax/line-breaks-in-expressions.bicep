var a = 1 +
2
var b = 1
+ 2
