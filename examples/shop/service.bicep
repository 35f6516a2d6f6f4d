extension radius

param application string
param name string
param image string
param port int

resource container 'Applications.Core/containers@2023-10-01-preview' = {
  name: name
  location: 'global'
  properties: {
    application: application
    container: {
      image: image
      ports: {
        http: {
          containerPort: port
        }
      }
    }
  }
}

output id string = container.id
output url string = 'http://${name}:${port}'
