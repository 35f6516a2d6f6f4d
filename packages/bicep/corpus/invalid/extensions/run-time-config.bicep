resource cluster 'Contoso.Kubernetes/clusters@2024-03-01' = {
  name: 'cluster'
}
extension kubernetes with {
  namespace: cluster.properties.namespace
  kubeConfig: cluster.listCredentials().value
} as k8s
