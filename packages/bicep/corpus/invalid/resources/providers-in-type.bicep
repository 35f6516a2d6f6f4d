resource a 'Contoso.Data/caches/providers/locks@2024-03-01' = {
  name: 'a/b/c'
}
