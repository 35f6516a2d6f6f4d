param groups array
var flat = [for group in flatten(map(groups, g => g.members)): {
  name: group.name
}]
var fromItems = [for item in items({ a: 1, b: 2 }): '${item.key}=${item.value}']
output all array = [flat, fromItems]
