param cache resource 'Contoso.Data/caches@2024-03-01'
param other resource 'Contoso.Data/caches@2024-03-01'
output ids array = [cache.id, other.id]
