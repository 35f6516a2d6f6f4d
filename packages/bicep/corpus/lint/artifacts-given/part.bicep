param _artifactsLocation string = deployment().properties.templateLink.uri
@secure()
param _artifactsLocationSasToken string = ''
@description('Where.')
output where string = _artifactsLocation
@secure()
@description('Token.')
output token string = _artifactsLocationSasToken
