import { address, join2 } from 'places.bicep'
@export()
type person = {
  name: string
  home: address
  boss: person?
}
@export()
func describe(who person) string => join2(prefix, '${who.name} ${toText(who.home)}')
func toText(where address) string => where.city
var prefix = 'Mx'
