module legacy 'arm-template/legacy.json' = {
  name: 'legacy'
  params: {
    name: 'x'
    count: 3
  }
}
module commented 'arm-template/commented.jsonc' = {
  name: 'commented'
}
output id string = legacy.outputs.id
