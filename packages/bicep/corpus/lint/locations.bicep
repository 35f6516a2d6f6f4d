var place = 'west'
param location string = 'east'
resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
  location: place
}
resource b 'Contoso.Data/caches@2024-03-01' = {
  name: 'b'
  location: location
}
