#disable-next-line no-unused-params
param unused string
#disable-diagnostics no-unused-vars
var a = 1
var b = 2
#restore-diagnostics no-unused-vars
var c = 3
