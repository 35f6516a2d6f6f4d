module a 'same-name/part.bicep' = {
  name: 'same'
}
module b 'same-name/part.bicep' = {
  name: 'same'
}
module c 'same-name/part.bicep' = {
  name: 'same'
  scope: resourceGroup('other')
}
