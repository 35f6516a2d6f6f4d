var text = 'x'
var a = text.method()
resource r 'Contoso.Data/caches@2024-03-01' existing = {
  name: 'r'
}
output b string = r.notAMethod()
var list = [1]
var c = list.first()
