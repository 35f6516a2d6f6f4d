resource a 'Contoso.Data/caches@2024-03-01' = if
resource b 'Contoso.Data/caches@2024-03-01' = if true {}
resource c 'Contoso.Data/caches@2024-03-01' = if () {}
resource d 'Contoso.Data/caches@2024-03-01' = if (true)
