param region string
param names array
output region string = region
output names array = names
