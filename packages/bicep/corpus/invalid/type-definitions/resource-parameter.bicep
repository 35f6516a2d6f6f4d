param a resource 'Contoso.Data/caches@2024-03-01'
