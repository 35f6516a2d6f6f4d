type tags = resourceInput<'Contoso.Data/caches@2024-03-01'>.tags
type tag = resourceInput<'Contoso.Data/caches@2024-03-01'>.tags.*
type zone = resourceInput<'Contoso.Data/caches@2024-03-01'>.zones[*]
type sku = resourceOutput<'Contoso.Data/caches@2024-03-01'>.sku.name
type name = resourceInput<'Contoso.Data/caches@2024-03-01'>.name
param all { tags: tags, tag: tag, zone: zone, sku: sku?, name: name }
output all object = all
