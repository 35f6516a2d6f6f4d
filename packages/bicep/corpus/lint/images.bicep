resource machine 'Microsoft.Compute/virtualMachines@2024-03-01' = {
  name: 'machine'
  properties: {
    storageProfile: {
      imageReference: {
        offer: 'server-preview'
        sku: '2022'
        version: 'preview'
      }
    }
  }
}
resource script 'Microsoft.Resources/deploymentScripts@2023-08-01' = {
  name: 'script'
  kind: 'AzurePowerShell'
  properties: {
    azPowerShellVersion: '7.0'
    retentionInterval: 'P1D'
  }
}
