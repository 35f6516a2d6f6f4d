type maybe = string?
type sure = maybe!
type item = { name: string? }
type itemName = item.name!
param a maybe
param b sure
param c itemName
output all array = [a, b, c]
