param name string
param tier string
param tags object
output all array = [name, tier, tags]
