param key string
var a = {}[key]
