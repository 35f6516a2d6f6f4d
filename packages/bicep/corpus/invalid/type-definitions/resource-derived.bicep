type a = resourceInput<'Contoso.Data/caches@2024-03-01'>
type b = resourceInput
type c = resourceInput<'nothing'>.name
type d = string<'x'>
type e = resource<'Contoso.Data/caches@2024-03-01'>.name
