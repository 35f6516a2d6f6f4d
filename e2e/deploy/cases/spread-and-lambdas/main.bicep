extension radius

var defaults = {
  title: 'unnamed'
  size: 1
  labels: {
    tier: 'bronze'
  }
}

var orders = [
  { id: 'a', lines: [{ sku: 'tea', count: 2 }, { sku: 'cup', count: 1 }] }
  { id: 'b', lines: [{ sku: 'tea', count: 5 }] }
  { id: 'c', lines: [] }
]

var lines = flatten(map(orders, order => order.lines))
var bySku = groupBy(lines, line => line.sku)
var totals = mapValues(bySku, group => reduce(group, 0, (sum, line) => sum + line.count))

resource widgets 'Radius.Test/widgets@2025-01-01' = [
  for order in filter(orders, order => !empty(order.lines)): {
    name: 'order-${order.id}'
    properties: {
      ...defaults
      title: join(map(order.lines, line => '${line.count} ${line.sku}'), ', ')
      settings: {
        skus: [...map(order.lines, line => line.sku), 'bag']
        ...(length(order.lines) > 1 ? { parcel: true } : {})
      }
    }
  }
]

output totals object = totals
output sorted array = sort(items(totals), (a, b) => a.value > b.value)
output indexed array = map(lines, (line, index) => '${index}:${line.sku}')
