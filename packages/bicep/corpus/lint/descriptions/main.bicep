param a string
@description('Said.')
param b string
type c = { d: string }
@description('Said.')
type e = {
  @description('Said.')
  f: string
  g: int
}
var h = '${a}${b}'
param i c
param j e
output k array = [h, i, j]
