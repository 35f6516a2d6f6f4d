@secure()
param kubeConfig string
// A stack cannot store this secret: it wants a reference to a vault.
extension kubernetes with {
  namespace: 'outer'
  kubeConfig: kubeConfig
} as k8s
resource vault 'Microsoft.KeyVault/vaults@2023-07-01' existing = {
  name: 'vault'
}
module reference 'main/part.bicep' = {
  extensionConfigs: {
    k8s: { namespace: 'inner', kubeConfig: vault.getSecret('kubeConfig') }
  }
}
module inherited 'main/part.bicep' = {
  extensionConfigs: {
    k8s: { namespace: 'inner', kubeConfig: k8s.config.kubeConfig }
  }
}
module given 'main/part.bicep' = {
  extensionConfigs: {
    k8s: { namespace: 'inner', kubeConfig: kubeConfig }
  }
}
