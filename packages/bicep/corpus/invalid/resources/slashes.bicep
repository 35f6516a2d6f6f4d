resource a 'Contoso.Sql/servers/databases@2024-03-01' = {
  name: 'only'
}
resource b 'Contoso.Sql/servers@2024-03-01' = {
  name: 'too/many'
  resource c 'databases' = {
    name: 'also/many'
  }
}
resource d 'Contoso.Sql/servers/databases@2024-03-01' = {
  parent: b
  name: 'x/y'
}
