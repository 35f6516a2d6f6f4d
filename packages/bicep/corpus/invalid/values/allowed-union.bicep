@allowed(['west', 'east'])
param region string = 'north'
type place = 'west' | 'south'
output p place = region
