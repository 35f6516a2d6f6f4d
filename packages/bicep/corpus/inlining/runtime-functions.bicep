var keys = listKeys(resourceId('Contoso.Data/stores', 'store'), '2024-03-01')
var first = keys.keys[0]
var zone = toLogicalZone(subscription().subscriptionId, 'west', 'west-1')
var plain = 'x'
output all array = [first.value, zone, plain]
