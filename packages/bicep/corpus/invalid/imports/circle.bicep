import { b } from 'circle/other.bicep'
@export()
var a = 1
output c int = b
