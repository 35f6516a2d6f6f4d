param all object
module a 'params/part.bicep' = {
  name: 'a'
  params: { text: 1 }
}
module b 'params/part.bicep' = {
  name: 'b'
  params: { text: 'x', nmber: 1, extra: 2 }
}
module c 'params/part.bicep' = {
  name: 'c'
}
module d 'params/part.bicep' = {
  name: 'd'
  params: all
}
