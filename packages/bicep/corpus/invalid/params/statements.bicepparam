using none
resource a 'Contoso.Data/caches@2024-03-01' = {}
output b string = 'x'
@description('x')
param c = 1
