import { a, a as b } from 'twice/shared.bicep'
import { c } from 'twice/shared.bicep'
var c = 1
