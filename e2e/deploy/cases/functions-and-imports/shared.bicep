@export()
type widgetSettings = {
  colour: string
  size: int
}

@export()
var palette = ['teal', 'plum']

@export()
func titleOf(settings widgetSettings, name string) string => '${name} (${settings.colour}, ${settings.size})'
