var scopes = {
  group: resourceGroup('other')
  sub: subscription('11111111-1111-1111-1111-111111111111')
}
output scopes object = scopes
