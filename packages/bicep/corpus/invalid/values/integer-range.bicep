@minValue(1)
@maxValue(10)
type small = int
param a small = 11
param b small = 0
@minValue(5)
@maxValue(20)
param wide int
output c small = wide
