@minValue(1)
@maxValue(10)
param small int
@minValue(5)
@maxValue(20)
param wide int
@minLength(2)
@maxLength(8)
param text string
@minValue(6)
@maxValue(8)
type inside = int
@minLength(4)
@maxLength(6)
type word = string
output a inside = small
output b inside = wide
output c word = text
