resource a 'Contoso.Sql/servers@2024-03-01' = {
  name: 'a'
  resource b
  resource c 'databases' = 5
}
