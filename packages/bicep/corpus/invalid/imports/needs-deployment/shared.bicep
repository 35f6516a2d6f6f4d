import { far } from 'deeper.bicep'
import * as deeper from 'deeper.bicep'

var place = resourceGroup().location

@export()
var here = '${place}-1'

@export()
func nameOf(suffix string) string => az.subscription().displayName

@export()
func plain() string => toUpper(nameof(place))

@export()
var remote = [far]

@export()
func viaWildcard() string => deeper.ask(deeper.far)
