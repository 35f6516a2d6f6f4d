var unknown = any({})
var a = unknown[true]
var b = unknown['x'].y
var c = unknown[[1]]
