import { numbers, table } from 'variables-with-loops/values.bicep'
output numbers array = numbers
output table array = table
