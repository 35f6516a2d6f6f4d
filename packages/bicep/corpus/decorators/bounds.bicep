@minLength(3)
@maxLength(24)
param name string
@minValue(1)
@maxValue(10)
param count int
@minLength(1)
@maxLength(5)
param list array
@minValue(-5)
param low int = 0
@maxLength(3)
output short string = take(name, 3)
output all array = [count, list, low]
