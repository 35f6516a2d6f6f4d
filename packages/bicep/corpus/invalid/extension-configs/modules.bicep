param config object
extension kubernetes with { namespace: 'x', kubeConfig: 'y' } as k8s
module a 'modules/part.bicep' = {
  name: 'a'
  extensionConfigs: { k8s: config }
}
module b 'modules/part.bicep' = {
  name: 'b'
  extensionConfigs: { k8s: k8s }
}
module c 'modules/part.bicep' = {
  name: 'c'
}
