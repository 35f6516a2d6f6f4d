resource a 'Contoso.Data/caches@2024-03-01' = [for x in [1]: 5]
resource b 'Contoso.Data/caches@2024-03-01' = []
