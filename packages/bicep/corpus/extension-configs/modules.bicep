@secure()
param kubeConfig string
extension kubernetes with {
  namespace: 'outer'
  kubeConfig: kubeConfig
} as k8s
resource vault 'Microsoft.KeyVault/vaults@2023-07-01' existing = {
  name: 'vault'
}
resource config 'core/ConfigMap@v1' = {
  metadata: { name: 'settings' }
}
module inherited 'modules/part.bicep' = {
  name: 'inherited'
  extensionConfigs: {
    k8s: k8s.config
  }
}
module own 'modules/part.bicep' = {
  name: 'own'
  extensionConfigs: {
    k8s: {
      namespace: 'inner'
      kubeConfig: vault.getSecret('kubeConfig')
    }
  }
}
