extension radius

import { titleOf, widgetSettings, palette } from 'shared.bicep'
import * as sizes from 'sizes.bicep'

func label(team string, index int) string => '${team}-${padLeft(index, 3, '0')}'

param settings widgetSettings = {
  colour: 'teal'
  size: 4
}

resource widgets 'Radius.Test/widgets@2025-01-01' = [
  for index in range(1, 2): {
    name: label('team', index)
    properties: {
      title: titleOf(settings, label('team', index))
      size: sizes.double(settings.size)
      labels: {
        colour: settings.colour
        accent: palette[index - 1]
        medium: string(sizes.medium)
      }
    }
  }
]

output titles array = map(range(1, 2), index => titleOf(settings, label('team', index)))
