// Everything here is one more than its configuration allows.
param first string
param second string
var joined = '${first}${second}'
var twice = '${joined}${joined}'
assert short = length(joined) < 10
assert long = length(twice) > 1
resource one 'Contoso.Data/caches@2024-03-01' = {
  name: joined
}
resource two 'Contoso.Data/caches@2024-03-01' = {
  name: twice
}
output oneId string = one.id
output twoId string = two.id
