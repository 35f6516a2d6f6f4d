var a = '''abc
var b = 1
