param tenants { name: string, size: int }[] = [
  { name: 'acme', size: 2 }
  { name: 'globex', size: 5 }
  { name: 'initech', size: 1 }
]

module tenant 'tenant.bicep' = [
  for item in tenants: {
    name: 'tenant-${item.name}'
    params: {
      name: item.name
      size: item.size
    }
  }
]

output hosts array = [for (item, index) in tenants: tenant[index].outputs.host]
output total int = reduce(map(tenants, item => item.size), 0, (sum, size) => sum + size)
output names array = map(tenant, one => one.name)
