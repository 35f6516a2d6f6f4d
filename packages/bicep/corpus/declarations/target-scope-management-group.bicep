targetScope = 'managementGroup'
resource policy 'Contoso.Governance/policies@2024-01-01' = {
  name: 'tags'
}
output id string = policy.id
output group string = managementGroup().name
