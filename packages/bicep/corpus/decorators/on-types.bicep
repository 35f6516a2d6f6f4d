@description('A port.')
@minValue(1)
@maxValue(65535)
type port = int
type server = {
  @description('Where it runs.')
  @minLength(1)
  host: string
  @secure()
  password: string?
  @metadata({ unit: 'seconds' })
  timeout: int
  @description('Anything else.')
  *: string
}
param given port
param target server
output all array = [given, target.host]
