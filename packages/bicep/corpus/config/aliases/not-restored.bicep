module a 'br:registry.example.org/bicep/modules/net:v1' = {
  name: 'a'
}
module b 'br/own:net:v1' = {
  name: 'b'
}
module c 'br/unknown:net:v1' = {
  name: 'c'
}
module d 'br:registry.example.org/Bad_Path!:v1' = {
  name: 'd'
}
module e 'ts:11111111-1111-1111-1111-111111111111/group/name:v1' = {
  name: 'e'
}
module g 'ts:sub/group/name:v1' = {
  name: 'g'
}
module f 'zz:thing' = {
  name: 'f'
}
