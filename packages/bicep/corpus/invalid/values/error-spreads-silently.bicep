var broken = missing
var a = broken
output b string = broken
var c = {
  inner: broken
}
output d int = c.inner
