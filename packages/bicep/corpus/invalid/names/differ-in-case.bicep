param name string
param Name string
var value = 1
var VALUE = 2
output Out int = 1
output out int = 2
