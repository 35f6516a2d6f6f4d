import * as shared from 'wildcard-members/shared.bicep'
var a = shared.nothing
var b = shared.missing()
param c shared.missing
var d = shared
