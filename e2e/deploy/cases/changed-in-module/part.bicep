extension radius

param titles string[]

resource widgets 'Radius.Test/widgets@2025-01-01' = [
  for (title, index) in titles: {
    name: 'widget-${index}'
    properties: {
      title: title
    }
  }
]

output titles array = [for index in range(0, length(titles)): widgets[index].properties.title]
