resource first 'Contoso.Sql/servers@2024-03-01' = {
  name: 'first'
}
resource second 'Contoso.Sql/servers@2024-03-01' = {
  name: 'second'
  resource c 'databases' = {
    name: 'c'
    resource g 'policies' = {
      name: 'g'
    }
  }
  resource d 'databases' = {
    name: 'd'
  }
}
