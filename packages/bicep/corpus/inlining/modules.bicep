module net 'modules/net.bicep' = {
  name: 'net'
}
var name = net.name
var id = net.outputs.id
output all array = [name, id]
