resource a 'Contoso.Data/caches@2024-03-01' = {
  name: 'a'
}
output b object = a.dependsOn
output c object = a.scope
