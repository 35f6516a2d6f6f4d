var missingName = unknown.a.b[c]
resource a 'Contoso.Data/caches@2024-03-01' = {
  name: unknown
  location: 5
}
resource b 'broken' = {
  name: alsoUnknown
}
module c 'nowhere.bicep' = {
  name: stillUnknown
}
output d string = [unknown, 1]
