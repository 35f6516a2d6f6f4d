var a = {
  b: [
    1
var c = 2
