targetScope = 'subscription'
import { region, nameOf } from 'landing-zone/shared.bicep'
param regions region[]
@minLength(3)
param prefix string
var groups = [for r in regions: nameOf(prefix, r.short)]
resource rgs 'Microsoft.Resources/resourceGroups@2024-03-01' = [for (r, i) in regions: {
  name: groups[i]
  location: r.name
}]
module networks 'landing-zone/network.bicep' = [for (r, i) in regions: if (r.?network ?? true) {
  name: 'network-${r.short}'
  scope: rgs[i]
  params: {
    location: r.name
    subnets: [for s in range(0, r.subnets): '10.${i}.${s}.0/24']
  }
}]
output ids array = [for (r, i) in regions: networks[i].?outputs.id ?? 'none']
