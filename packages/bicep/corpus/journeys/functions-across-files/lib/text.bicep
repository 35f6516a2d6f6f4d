import { settings } from './settings.bicep'
import { limits as shared } from '../types.bicep'
@export()
type limits = shared
@export()
func surround(value string, mark string) string => '${mark}${value}${settings.close}'
@export()
func twice(value string) string => surround(surround(value, '('), '[')
@export()
var marks = [for m in ['a', 'b']: toUpper(m)]
