@description('What the platform tells a recipe.')
param context object
param port int = 6379
extension kubernetes with {
  kubeConfig: ''
  namespace: context.runtime.kubernetes.namespace
} as kubernetes
var name = 'redis-${uniqueString(context.resource.id)}'
resource redis 'apps/Deployment@v1' = {
  metadata: { name: name }
  spec: {
    selector: { matchLabels: { app: 'redis', resource: context.resource.name } }
    template: {
      metadata: { labels: { app: 'redis', resource: context.resource.name } }
      spec: { containers: [{ name: 'redis', image: 'redis:7', ports: [{ containerPort: port }] }] }
    }
  }
}
resource service 'core/Service@v1' = {
  metadata: { name: name }
  spec: { type: 'ClusterIP', selector: { app: 'redis' }, ports: [{ port: port }] }
}
output result object = {
  resources: ['/planes/kubernetes/local/namespaces/${service.metadata.namespace}/providers/core/Service/${service.metadata.name}']
  values: { host: '${service.metadata.name}.${service.metadata.namespace}.svc', port: port }
  secrets: { url: 'redis://${redis.metadata.name}' }
}
