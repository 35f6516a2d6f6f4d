using none
import { size } from 'not-importable/shared.bicep'
import { missing } from 'not-importable/shared.bicep'
var a size = 'small'
import { size as renamed, preferred } from 'not-importable/shared.bicep'
var b renamed = preferred
