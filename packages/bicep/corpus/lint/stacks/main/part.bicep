extension kubernetes as k8s
resource secret 'core/Secret@v1' = {
  metadata: { name: 'secret' }
}
output uid string = secret.metadata.uid
