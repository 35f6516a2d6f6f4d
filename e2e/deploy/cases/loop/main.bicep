extension radius

param names string[] = ['front', 'back', 'edge']

resource widgets 'Radius.Test/widgets@2025-01-01' = [
  for (name, index) in names: {
    name: '${name}-widget'
    properties: {
      title: toUpper(name)
      size: index + 1
    }
  }
]

output titles array = [for index in range(0, length(names)): widgets[index].properties.title]
output hosts string[] = map(widgets, widget => widget.properties.host)
output last int = widgets[2].properties.size
