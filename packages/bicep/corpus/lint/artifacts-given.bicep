param _artifactsLocation string = deployment().properties.templateLink.uri
param _artifactsLocationSasToken string = 'x'
module part 'artifacts-given/part.bicep' = {
  params: {}
}
@description('Where.')
output where string = '${_artifactsLocation}${_artifactsLocationSasToken}${part.outputs.where}'
