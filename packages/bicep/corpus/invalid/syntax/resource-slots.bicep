resource
resource a
resource b 'Contoso.Data/caches@2024-03-01'
resource c 'Contoso.Data/caches@2024-03-01' =
resource d 'Contoso.Data/caches@2024-03-01' = 5
resource e = {}
