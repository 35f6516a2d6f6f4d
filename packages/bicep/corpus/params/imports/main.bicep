param region string
param name string
param pair array
output all array = [region, name, pair]
