var a = {
  b: 1
  'b': 2
}
type c = {
  d: string
  d: int
}
