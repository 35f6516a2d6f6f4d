@sealed()
type a = resourceInput<'Contoso.Data/caches@2024-03-01'>.sku
@secure()
type b = 'x' | null
@secure()
type c = any
