param settings resourceInput<'Contoso.Data/caches@2024-03-01'>.properties
param read resourceOutput<'Contoso.Data/caches@2024-03-01'>.properties.endpoint
output settings object = settings
output read string = read
