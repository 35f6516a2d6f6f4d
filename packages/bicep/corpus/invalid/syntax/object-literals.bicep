var a = {a}
var b = {b: }
var c = {5: 1}
var d = {a: 1 b: 2}
var e = {
  a: 1,
  b: 2
}
