extension radius
resource a 'radius:Contoso.Data/caches@2024-03-01' = {
  name: 'a'
}
resource b 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'b'
  properties: {}
  resource c 'az:children@2024-03-01' = {
    name: 'c'
  }
}
