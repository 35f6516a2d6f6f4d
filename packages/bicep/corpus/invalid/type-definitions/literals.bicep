type a = -'x'
type b = !1
param p string
type c = 'x${p}'
type d = missing[]
