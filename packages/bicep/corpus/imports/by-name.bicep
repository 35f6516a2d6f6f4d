import { tier, double, regions as places } from 'by-name/shared.bicep'
param size tier = 'small'
output number int = double(2)
output places array = places
output size tier = size
