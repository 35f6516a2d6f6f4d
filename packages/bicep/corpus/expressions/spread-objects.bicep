param defaults object
param overrides object
output merged object = { ...defaults, tier: 'x', ...overrides }
output ordered object = {
  a: 1
  b: 2
  ...defaults
}
var inner = { settings: { ...defaults } }
output inner object = inner
