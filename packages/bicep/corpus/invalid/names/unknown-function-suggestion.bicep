var a = toLowr('x')
var b = sys.toLowr('x')
var c = az.nothing()
