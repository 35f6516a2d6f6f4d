@secure()
param kubeConfig string
extension kubernetes with {
  namespace: 'shop'
  kubeConfig: kubeConfig
} as k8s
resource config 'core/ConfigMap@v1' = {
  metadata: { name: 'settings' }
  data: { mode: 'on' }
}
resource deployment 'apps/Deployment@v1' existing = {
  metadata: { name: 'web' }
}
output uid string = config.metadata.uid
output replicas int = deployment.spec.replicas
