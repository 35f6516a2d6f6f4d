import { limits } from '../types.bicep'
@export()
var settings = { open: '<', close: '>' }
@export()
func merged(max int) limits => { max: max }
