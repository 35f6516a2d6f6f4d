@sealed()
type strict = { name: string }
param given strict
@sealed()
param inline { size: int }
output all array = [given, inline]
