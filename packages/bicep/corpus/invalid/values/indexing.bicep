param list array
param o object
var a = list['x']
var b = o[1]
var c = [1, 2][5]
var d = 'text'[0]
var e = list[-1]
var f = list[true]
