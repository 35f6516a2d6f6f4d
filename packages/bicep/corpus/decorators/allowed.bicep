@allowed(['west', 'east'])
param region string = 'west'
@allowed([1, 3, 5])
param replicas int
@allowed(['a', 'b'])
@description('Some of them.')
param list array
output all array = [region, replicas, list]
