var settings = {
  yes: true
  no: false
  nothing: null
  count: 3
  text: 'x'
  list: [true, null, 1, 'x', {}, []]
}
output all object = settings
output inCall array = concat([true, null, 1, 'x', {}, []], [settings])
