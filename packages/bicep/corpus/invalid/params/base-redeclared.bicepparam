using none
extends 'base-redeclared/base.bicepparam'
var base = 1
