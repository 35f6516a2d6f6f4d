resource a 'Contoso.Sql/servers@2024-03-01' = [for i in range(0, 2): {
  name: 'a-${i}'
  resource b 'databases' = {
    name: 'b'
  }
}]
