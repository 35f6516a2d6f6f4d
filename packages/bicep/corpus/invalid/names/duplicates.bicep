param a string
var a = 1
type b = string
resource b 'Contoso.Data/caches@2024-03-01' = {
  name: 'b'
}
func c() int => 1
func c() int => 2
