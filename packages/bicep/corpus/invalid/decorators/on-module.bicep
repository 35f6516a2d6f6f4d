@secure()
module m 'on-module/part.bicep' = {
  name: 'm'
}
@batchSize(2)
var a = 1
