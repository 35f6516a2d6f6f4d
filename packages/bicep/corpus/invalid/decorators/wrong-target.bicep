@secure()
var a = 1
@minLength(1)
resource b 'Contoso.Data/caches@2024-03-01' = {
  name: 'b'
}
@allowed(['x'])
output c string = 'x'
@batchSize(1)
param d string
@secure()
metadata e = 1
@batchSize(2)
type f = string
