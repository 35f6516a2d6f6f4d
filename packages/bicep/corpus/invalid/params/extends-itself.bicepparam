using none
extends 'extends-itself.bicepparam'
