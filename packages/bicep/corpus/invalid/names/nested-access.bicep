param p object
resource r 'Contoso.Sql/servers@2024-03-01' = {
  name: 'r'
}
var a = p::b
var c = r::d
