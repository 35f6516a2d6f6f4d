type either = 'text' | 'other'
param e either
param mixed ('a' | 1)[]
var a = e.length
var b = mixed[0].x
