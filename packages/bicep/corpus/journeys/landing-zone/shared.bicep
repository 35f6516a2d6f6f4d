@export()
type region = {
  name: string
  @maxLength(4)
  short: string
  network: bool?
  subnets: int
}
@export()
func nameOf(prefix string, short string) string => toLower('${prefix}-${short}')
