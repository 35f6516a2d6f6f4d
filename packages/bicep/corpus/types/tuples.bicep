type pair = [string, int]
type described = [
  @description('The host.')
  string
  @minValue(1)
  @maxValue(65535)
  int
]
param target pair
output host string = target[0]
output port int = target[1]
