param region string
param tier string
param replicas int
output all array = [region, tier, replicas]
