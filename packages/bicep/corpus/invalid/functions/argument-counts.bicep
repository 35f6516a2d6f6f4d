var a = toLower()
var b = toLower('a', 'b')
var c = replace('a', 'b')
func own(a string, b int?) string => a
var d = own()
