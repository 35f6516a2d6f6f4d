param key string
@sealed()
type strict = { name: string }
output a strict = { '${key}': 'x' }
output b strict = { name: 'x', '${key}': 'y' }
