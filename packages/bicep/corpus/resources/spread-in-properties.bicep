param common object
resource cache 'Contoso.Data/caches@2024-03-01' = {
  name: 'cache'
  tags: { ...common, team: 'shop' }
  properties: {
    ...common
    size: 1
  }
}
