param group string
param sub string
resource here 'Contoso.Data/caches@2024-03-01' existing = {
  name: 'here'
}
resource otherGroup 'Contoso.Data/caches@2024-03-01' existing = {
  name: 'there'
  scope: resourceGroup(group)
}
resource otherSubscription 'Contoso.Data/caches@2024-03-01' existing = {
  name: 'far'
  scope: resourceGroup(sub, group)
}
resource policy 'Contoso.Governance/policies@2024-03-01' existing = {
  name: 'policy'
  scope: subscription()
}
resource farPolicy 'Contoso.Governance/policies@2024-03-01' existing = {
  name: 'policy'
  scope: subscription(sub)
}
resource root 'Contoso.Governance/roots@2024-03-01' existing = {
  name: 'root'
  scope: tenant()
}
resource managed 'Contoso.Governance/rules@2024-03-01' existing = {
  name: 'rule'
  scope: managementGroup('shops')
}
output ids array = [here.id, otherGroup.id, otherSubscription.id, policy.id, farPolicy.id, root.id, managed.id]
