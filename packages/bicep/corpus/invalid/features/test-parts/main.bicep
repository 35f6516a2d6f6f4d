test a
test b 'main/part.bicep' = {
  params: { text: 1 }
}
test c 'main/part.bicep' = {
  colour: 'red'
}
