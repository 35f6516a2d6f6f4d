using 'imports/main.bicep'
import { regions, nameFor as makeName } from 'imports/shared.bicep'
import * as shared from 'imports/shared.bicep'
type couple = [string, int]
var typed couple = ['a', 1]
param region = regions[0]
param name = makeName('shop', shared.suffix)
param pair = typed
