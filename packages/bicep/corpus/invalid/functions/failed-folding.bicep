var a = base64ToString('%%%')
var b = json('{')
var c = format('{5}', 'x')
