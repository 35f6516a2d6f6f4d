extension kubernetes with {
  namespace: 1
  kubeConfig: 'x'
  colour: 'red'
} as k8s
