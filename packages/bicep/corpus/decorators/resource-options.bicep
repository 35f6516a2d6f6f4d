@onlyIfNotExists()
resource first 'Contoso.Shop/carts@2024-01-01' = {
  name: 'first'
}
@retryOn(['Busy', 'Throttled'], 3)
resource second 'Contoso.Shop/carts@2024-01-01' = {
  name: 'second'
}
@retryOn(['Busy'])
resource third 'Contoso.Shop/carts@2024-01-01' = {
  name: 'third'
}
