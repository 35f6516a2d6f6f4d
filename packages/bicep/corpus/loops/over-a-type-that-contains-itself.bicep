type tree = {
  name: string
  children: tree[]?
}
param root tree
param roots tree[]
output a string = root.children![0].name
output b array = [for c in roots: c.name]
output c array = map(root.children!, c => c.name)
var d = root.children!
output e array = [for c in d: c.name]
