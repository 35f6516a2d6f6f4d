param regions array = ['west', 'east']
param primary string = 'east'
param audit bool = false

module region 'region.bicep' = [
  for name in regions: if (name == primary) {
    name: 'region-${name}'
    params: {
      name: name
    }
  }
]

module auditing 'region.bicep' = if (audit) {
  name: 'auditing'
  params: {
    name: 'audit'
  }
}

output primaryHost string = region[1]!.outputs.host
output auditHost string = auditing.?outputs.host ?? 'no audit'
output auditHostOrNull string? = auditing.?outputs.host
