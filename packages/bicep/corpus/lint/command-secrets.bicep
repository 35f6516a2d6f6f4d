@secure()
param password string
resource machine 'Microsoft.Compute/virtualMachines@2024-03-01' existing = {
  name: 'machine'
}
resource script 'Microsoft.Compute/virtualMachines/extensions@2024-03-01' = {
  parent: machine
  name: 'script'
  properties: {
    publisher: 'Microsoft.Azure.Extensions'
    type: 'CustomScript'
    settings: {
      commandToExecute: 'run ${password}'
    }
    protectedSettings: {
      commandToExecute: 'run ${password}'
    }
  }
}
