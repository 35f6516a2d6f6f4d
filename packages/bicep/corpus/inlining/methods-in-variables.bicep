resource store 'Contoso.Data/stores@2024-03-01' = {
  name: 'store'
}
resource many 'Contoso.Data/stores@2024-03-01' = [for i in range(0, 2): {
  name: 'store-${i}'
}]
var tokens = store.listTokens('2024-01-01', { kind: store.name })
var second = many[1].listKeys()
output all array = [tokens.value, second.primary]
