resource a 'Contoso.Sql/servers@2024-03-01' = {
  name: 'a'
  @batchSize(1)
}
