import { a } from '../circle.bicep'
@export()
var b = a
