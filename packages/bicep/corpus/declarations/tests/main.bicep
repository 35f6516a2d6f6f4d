test small 'main/checked.bicep' = {
  params: {
    replicas: 2
  }
}
