param identityId string
module m 'identity/part.bicep' = {
  name: 'm'
  identity: {
    type: 'UserAssigned'
    userAssignedIdentities: { '${identityId}': {} }
  }
}
