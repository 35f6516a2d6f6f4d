using 'parameters/main.bicep'
extensionConfig k8s with {
  namespace: 'given'
  kubeConfig: getSecret('11111111-1111-1111-1111-111111111111', 'group', 'vault', 'kubeConfig')
}
