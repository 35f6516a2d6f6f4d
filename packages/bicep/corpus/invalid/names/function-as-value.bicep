var a = toLower
var b = description
func own() int => 1
var c = own
